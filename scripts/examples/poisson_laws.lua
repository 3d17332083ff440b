-- Shot noise of five laws of kicks z at equal intensity D = lambda <z^2>/2 and (but for the symmetric law, where it is
-- 0) equal drift a = lambda <z>: eta(t) = sum z_i delta(t - t_i) - a. The diffusion of a free particle depends on D
-- alone: Var x = 2 D t. The current in V = 1 - |x| depends on the whole law; it is known exactly for exponential kicks
-- (J. Luczka, R. Bartussek, P. Haenggi, Europhys. Lett. 31, 431, 1995), and zero by symmetry for two-sided ones.
local bm = require "bmsim"
local a, D = bm.args.a or 2.5, bm.logspace(0.2, 10, bm.args.points or 7)

-- r = <z^2>/(2 zeta^2), so that zeta = D/(r a); the normal law has the deviation sigma = zeta.
local laws = {
  { "exponential", 1 }, { "constant", 1 / 2 }, { "uniform", 2 / 3 }, { "gaussian", 1 }, { "two_sided", 1 },
}
local function run(law, r, seed)
  local zeta, noise = {}, { law = law, zeta = 1, a = a }
  for i = 1, #D do zeta[i] = D[i] / (r * a) end
  if law == "gaussian" then noise.sigma = function(p) return p.poisson.zeta end end
  if law == "two_sided" then noise.a, noise.lambda = nil, function(p) return a / p.poisson.zeta end end
  return bm.run {
    model = bm.overdamped { potential = bm.potential.piecewise_linear {}, noise = bm.noise.poisson(noise) },
    sweep = { { "piecewise_linear.V0", { 0, 1 } }, { "poisson.zeta", zeta } }, observe = { "velocity", "diffusion" },
    paths = bm.args.paths or bm.args.full and 65536 or 1024, time = bm.args.time or 200,
    dt = bm.args.full and 0.00125 or 0.005, seed = seed,
  }
end

local result, largest
local function compare(value, err, exact) largest = math.max(largest or 0, math.abs(value - exact) / err) end
local shown = { "piecewise_linear.V0", "D", "diffusion" }
for seed, law in ipairs(laws) do
  local r, name = run(law[1], law[2], seed), law[1]
  result = result or r:add("D", function(p) return p.poisson.D end)
  for p in r:rows() do
    if p.piecewise_linear.V0 == 0 then compare(p.diffusion, p.diffusion_err, p.poisson.D) end
    if p.piecewise_linear.V0 == 1 and name == "two_sided" then compare(p.velocity, p.velocity_err, 0) end
  end
  for _, column in ipairs { "velocity", "velocity_err", "diffusion", "diffusion_err" } do
    result:add(name .. "_" .. column, r:column(column))
  end
  shown[#shown + 1] = name .. "_velocity"
end
result:add("exact", function(p)
  return p.piecewise_linear.V0 == 0 and 0 or bm.theory.poisson_velocity { D = p.D, a = a }
end)
for p in result:rows() do compare(p.velocity, p.velocity_err, p.exact) end
shown[#shown + 1] = "exact"
result:print(shown)
if bm.args.output then result:write(bm.args.output) end
if bm.args.plot then
  local y, fine = {}, { D = bm.logspace(0.2, 10, 100), exponential_velocity = {} }
  for i, law in ipairs(laws) do y[i] = law[1] .. "_velocity" end
  for i, value in ipairs(fine.D) do fine.exponential_velocity[i] = bm.theory.poisson_velocity { D = value, a = a } end
  result:plot { x = "D", y = y, titles = { "exponential", "constant", "uniform", "normal", "two-sided" }, theory = fine,
                lines = false, where = function(p) return p.piecewise_linear.V0 == 1 end, log = "x",
                ylabel = "⟨{/:Italic v}⟩", file = bm.args.plot }
end
print(("largest deviation: %.2f standard errors"):format(largest))
