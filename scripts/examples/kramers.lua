-- Escape over barriers. In V = sin 2 pi x a particle hops to either neighbour at the rate k, so that D_eff = k L^2; the
-- barrier is 2. Overdamped, k = 2 pi exp(-2/T)/gamma for T << 1 (H. A. Kramers, Physica 7, 284, 1940), and exactly
-- D_eff = (T/gamma)/I0(1/T)^2. Inertia multiplies k by 2 c [sqrt(1 + c^2) - c], c = gamma/(2 m omega), omega = 2 pi,
-- for T << 1 and as long as energy is exchanged faster than the particle hops: at gamma = 2 hops begin to reach beyond
-- the neighbour (see friction.lua). All rates are shown times gamma.
local bm = require "bmsim"
local points = bm.args.points or 8

local function run(kind, fields, time, dt)
  fields.potential, fields.noise = bm.potential.sine {}, bm.noise.gaussian { T = 1 }
  return bm.run {
    model = bm[kind](fields), sweep = { "gaussian.T", bm.linspace(0.22, 0.6, points) },
    observe = "diffusion", paths = bm.args.paths or bm.args.full and 65536 or 8192, time = time, dt = dt,
  }
end
local function overdamped(T) -- exact; I0(1/T) is the mean of exp(V/T) over a period
  local I0 = 0
  for i = 1, 64 do I0 = I0 + math.exp(math.sin(2 * math.pi * i / 64) / T) / 64 end
  return T / I0 ^ 2
end

local r = run("overdamped", {}, 100, 0.002)
r:add("exact", function(p) return overdamped(p.gaussian.T) end)
r:add("z", function(p) return (p.diffusion - p.exact) / p.diffusion_err end)
local shown = { "gaussian.T", "diffusion", "diffusion_err", "exact", "z" }
for _, gamma in ipairs { 2, 8 } do
  local name, c = "gamma_" .. gamma, gamma / (4 * math.pi)
  local inertial = run("underdamped", { gamma = gamma }, 100 * gamma, 0.02)
  for _, suffix in ipairs { "", "_err" } do
    local column = inertial:column("diffusion" .. suffix)
    for i = 1, points do column[i] = gamma * column[i] end
    r:add(name .. suffix, column)
    shown[#shown + 1] = name .. suffix
  end
  r:add(name .. "_kramers", function(p) return overdamped(p.gaussian.T) * (math.sqrt(1 + c * c) - c) * 2 * c end)
  shown[#shown + 1] = name .. "_kramers"
end
r:print(shown)
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:add("1/T", function(p) return 1 / p.gaussian.T end)
  r:plot { x = "1/T", y = { "diffusion", "gamma_2", "gamma_8" },
           theory = { "exact", "gamma_2_kramers", "gamma_8_kramers" },
           titles = { "overdamped", "{/:Italic γ} = 2", "{/:Italic γ} = 8" }, log = "y", file = bm.args.plot,
           ylabel = "{/:Italic γ D}_{eff} = {/:Italic γ k L}^2" }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation of the overdamped particle: %.2f standard errors"):format(largest))
