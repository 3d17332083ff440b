-- Rates of events that are high in a narrow place, near the place to which events set paths, and far from it: the
-- default step resolves the place, or is short against what the rate does in it.
local bm = require "bmsim"

-- In a trap with k = 1, D = 0.5 and resets to 0. Exact: 1/T(0), D T'' - x T' - r T = -1, by finite differences.
local function check(rate, exact, kind)
  local model = { noise = { x = bm.noise.gaussian { D = 0.5 } }, events = { hop = { rate = rate, set = { x = "0" } } } }
  if kind == "system" then
    model.variables, model.equations = { "x" }, { x = "-x" }
    model = bm.system(model)
  else
    model.noise, model.potential = model.noise.x, bm.potential.harmonic {}
    model = bm.overdamped(model)
  end
  local r = bm.run { model = model, initial = { x = 0 }, time = 50, transient = 0.2, paths = 10000, observe = "events" }
  local value, err = r:column "hop_rate"[1], r:column "hop_rate_err"[1]
  assert(math.abs(value - exact) < 0.015 * exact + 3 * err,
         ("%s: %.5g(%.2g), exact %.5g"):format(rate, value, err, exact))
end
check("if(abs(x - 0.1) < 0.05, 10, 0)", 0.52075, "system")
check("if(abs(x - 0.1) < 0.05, 10, 0)", 0.52075, "one variable")
check("if(abs(x - 0.1) < 0.01, 10, 0)", 0.10956, "system")
check("10*exp(-((x - 0.1)/0.05)^2)", 0.46737, "system")
check("10*exp(-((x - 1)/0.02)^2)", 0.05699, "one variable")
check("if(abs(x) > 0.05, 10, 0)", 7.95394, "system")
