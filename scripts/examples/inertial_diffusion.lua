-- From flight to diffusion: m dv = -gamma v dt + sqrt(2 gamma T) dW, all particles at x = 0 with Maxwell's velocities.
-- Var x = (2 T/gamma) {t - (m/gamma) [1 - exp(-gamma t/m)]}: ballistic, T t^2/m, before the velocity is forgotten after
-- m/gamma, and 2 (T/gamma) t, Einstein's law, long after. G. E. Uhlenbeck, L. S. Ornstein, Phys. Rev. 36, 823 (1930).
-- Without a transient the observable `diffusion` is Var x/(2 t), and the sweep is over the time t itself.
local bm = require "bmsim"
local m, gamma, T = 1, 2, 0.5

local free = bm.underdamped { mass = m, gamma = gamma, noise = bm.noise.gaussian { T = T } }

local r = bm.run {
  model = free,
  sweep = { "time", bm.logspace(0.05, 50, bm.args.points or 13) },
  initial = { x = 0, v = "maxwell" }, transient = 0, check_transient = false,
  observe = "diffusion",
  paths = bm.args.paths or bm.args.full and 1048576 or 65536, dt = bm.args.full and 0.0025 or 0.01,
}

local function exact(t) return T / gamma * (1 - m / (gamma * t) * (1 - math.exp(-gamma * t / m))) end
r:add("exact", function(p) return exact(p.steps * p.dt) end) -- a run lasts a whole number of steps
r:add("z", function(p) return (p.diffusion - p.exact) / p.diffusion_err end)
r:print { "time", "diffusion", "diffusion_err", "exact", "z" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "time", y = "diffusion", theory = function(_, t) return exact(t) end, log = "xy",
           ylabel = "Var {/:Italic x} / 2{/:Italic t}", file = bm.args.plot }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
