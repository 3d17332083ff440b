-- Velocities at the ends of steps, at the default step: their variance in traps of several frictions, alone and in a
-- formula, and their mean under a constant force.
local bm = require "bmsim"
local function check(what, value, err, exact)
  assert(math.abs(value - exact) < 0.004 * exact + 4 * err and err < 0.003 * exact,
         ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
end
for _, case in ipairs { { m = 1, gamma = 1, k = 1 }, { m = 0.2, gamma = 1, k = 1 }, { m = 1, gamma = 1, k = 20 } } do
  local r = bm.run {
    model = bm.underdamped { mass = case.m, gamma = case.gamma, noise = bm.noise.gaussian { T = 0.5 },
                             potential = bm.potential.harmonic { k = case.k } },
    time = 60, transient = 0.2, paths = 16384,
    observe = { bm.observe.average { v2 = "v^2", x2 = "x^2" }, bm.observe.correlation { of = "velocity", lags = 2 } },
  }
  local what = ("m = %g, k = %g"):format(case.m, case.k)
  check(what .. ", v^2", r:column "v2"[1], r:column "v2_err"[1], 0.5 / case.m)
  check(what .. ", x^2", r:column "x2"[1], r:column "x2_err"[1], 0.5 / case.k)
  local at_once, err = r:array "correlation", r:array "correlation_err"
  assert(math.abs(at_once.values[1][1] - 0.5 / case.m) < 0.004 * 0.5 / case.m + 4 * err.values[1][1])
end
local r = bm.run { model = bm.underdamped { force = 2, noise = bm.noise.gaussian { T = 0.1 } }, time = 200,
                   transient = 0.1, paths = 4096, observe = bm.observe.average { v = "v" } }
check("mean velocity", r:column "v"[1], r:column "v_err"[1], 2)
