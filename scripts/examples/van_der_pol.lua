-- Van der Pol's oscillator in noise, x'' = mu (1 - x^2) x' - x + sqrt(2 D) xi. It takes up energy where |x| < 1, loses
-- it elsewhere, and runs round a cycle: a circle of radius 2 for small mu, for large mu two slow branches and two
-- jumps. The stationary state has, exactly for all mu and D, mu <(x^2 - 1) v^2> = D, the power of the noise, and <v^2>
-- = <x^2>. R. L. Stratonovich, Topics in the Theory of Random Noise, vol. 2 (1967).
-- A picture, the density of (x, v) at mu = 1, D = 0.1: -D plot=FILE.png; the size of a paper: -D full=1.
local bm = require "bmsim"

local r = bm.run {
  model = bm.system {
    variables = { "x" },
    inertia = { x = true },
    equations = { x = "mu*(1 - x^2)*v_x + v_x - x" }, -- v_x against the friction that inertia has
    noise = { x = bm.noise.gaussian {} },
    parameters = { mu = 1 },
  },
  sweep = { { "mu", { 0.1, 1, 3 } }, { "gaussian.D", bm.logspace(0.1, 1, bm.args.points or 4) } },
  initial = { x = { mean = 0, sd = 1.4 }, v_x = { mean = 0, sd = 1.4 } },
  paths = bm.args.paths or bm.args.full and 65536 or 4096, time = 200, transient = 0.4,
  dt = bm.args.full and 0.001 or 0.004,
  observe = { bm.observe.average { power = "mu*(x^2 - 1)*v_x^2", excess = "v_x^2 - x^2", x2 = "x^2" },
              bm.observe.density { of = { "v_x", "x" }, bins = 120, range = { x = { -3.5, 3.5 }, v_x = { -4, 4 } } } },
}
r:add("z_power", function(p) return (p.power - p.gaussian.D) / p.power_err end)
r:add("z_excess", function(p) return p.excess / p.excess_err end)
r:print { "mu", "gaussian.D", "power", "power_err", "z_power", "x2", "excess", "excess_err", "z_excess" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { array = "density_v_x_x", where = function(p) return p.mu == 1 and p.gaussian.D == 0.1 end,
           xlabel = "{/:Italic x}", ylabel = "{/:Italic v}", zlabel = "{/:Italic p}({/:Italic x}, {/:Italic v})",
           file = bm.args.plot }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z_power), math.abs(p.z_excess)) end
print(("largest deviation: %.2f standard errors"):format(largest))
