-- Diffusion in V = sin 2 pi x against friction: m dv = [-gamma v - V'(x)] dt + sqrt(2 gamma T) dW, m = 1, T = 0.5. At
-- high friction D_eff = (T/gamma)/I0(1/T)^2 (S. Lifson, J. L. Jackson, J. Chem. Phys. 36, 2410, 1962). At low friction
-- energy diffuses, and a particle above the barriers flies until it has lost it: D_eff = 2 m T/(gamma Z) int_V0^inf
-- exp(-E/T)/I(E) dE, I(E) the action per period, Z = sqrt(2 pi m T) I0(1/T) (H. Risken, The Fokker-Planck Equation,
-- section 11.4). The exact values solve the Klein-Kramers equation by matrix continued fractions (there, 11.5).
local bm = require "bmsim"
local m, T = 1, 0.5
local known = {
  { 0.03, 0.411584 }, { 0.06, 0.219864 }, { 0.1, 0.140746 }, { 0.2, 0.0790976 }, { 0.3, 0.0575851 }, { 0.5, 0.0396274 },
  { 1, 0.025291 }, { 2, 0.0174674 }, { 3, 0.0145358 }, { 5, 0.0116124 }, { 10, 0.00784346 }, { 20, 0.00451801 },
  { 30, 0.00311462 },
}
local gamma, exact = {}, {}
for i, pair in ipairs(known) do gamma[i], exact[i] = pair[1], pair[2] end

local function mean(f, n) -- over the middles of n equal parts of [0, 1]
  local sum = 0
  for i = 1, n do sum = sum + f((i - 0.5) / n) end
  return sum / n
end
local function V(x) return math.sin(2 * math.pi * x) end
local I0 = mean(function(x) return math.exp(V(x) / T) end, 64)
local function action(E) return mean(function(x) return math.sqrt(2 * m * (E - V(x))) end, 100) end
local flight = T * math.exp(-1 / T) * mean(function(y) return 1 / action(1 - T * math.log(y)) end, 1000)

local r = bm.run {
  model = bm.underdamped { mass = m, potential = bm.potential.sine {}, noise = bm.noise.gaussian { T = T } },
  sweep = { "gamma", gamma },
  observe = "diffusion", transient = 0.2,
  paths = bm.args.paths or bm.args.full and 65536 or 8192,
  time = function(p) return (bm.args.time or 100) * math.max(1, p.gamma / 2, 1 / p.gamma) end,
  dt = function(p) return 0.02 / math.max(1, p.gamma / 4) end,
}

r:add("exact", exact)
r:add("z", function(p) return (p.diffusion - p.exact) / p.diffusion_err end)
r:add("low", function(p) return 2 * m * T * flight / (p.gamma * math.sqrt(2 * math.pi * m * T) * I0) end)
r:add("high", function(p) return T / p.gamma / I0 ^ 2 end)
r:print { "gamma", "diffusion", "diffusion_err", "exact", "z", "low", "high" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "gamma", y = "diffusion", theory = { "exact", "low", "high" }, log = "xy", yrange = { 1e-3, 2 },
           theory_titles = { "exact", "low friction", "high friction" }, file = bm.args.plot }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
