-- Two overdamped particles, bound to their places by k and to each other by kappa, in baths of different temperatures:
-- the entropy production at the default step is kappa^2 (T1 - T2)^2/(2 (k + kappa) T1 T2).
local bm = require "bmsim"
local model = bm.system {
  variables = { "x", "y" }, equations = { x = "-2*x + y", y = "x - 2*y" },
  noise = { x = bm.noise.gaussian { name = "hot", T = 1 }, y = bm.noise.gaussian { name = "cold", T = 0.2 } },
}
local r = bm.run { model = model, time = 40, transient = 0.2, paths = 4000, observe = "entropy_production" }
local value, err = r:column "entropy_production"[1], r:column "entropy_production_err"[1]
assert(math.abs(value - 0.8) < 0.015 * 0.8 + 4 * err, ("%.4f(%.4f), exact 0.8"):format(value, err))
