-- A step four times the relaxation time: named before the run, seen in it, and nothing is extrapolated from it.
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine { V0 = 5 }, noise = bm.noise.gaussian { D = 0.5 },
  force = 10 }
local r = bm.run { model = model, dt = 0.02, time = 200 }
assert(r.info.warnings[1]:find("the step is too long for the motion: dt = 0.02", 1, true), r.info.warnings[1])
assert(r.info.warnings[2]:find("the step makes an error of velocity", 1, true), r.info.warnings[2])
assert(r:column "step_warning"[1] == 1)
r = bm.run { model = model, dt = 0.02, time = 200, step_error = true }
local extrapolated = r:column "velocity_extrapolated"[1]
assert(extrapolated ~= extrapolated, "extrapolated to " .. extrapolated)
assert(table.concat(r.info.warnings, "\n"):find("velocity_extrapolated is nan", 1, true))

-- Where steps four times as long diverge, a step that is too long for the motion by far is not to be shortened by four,
-- but to one that is good.
local trap = bm.overdamped { potential = bm.potential.formula { "k/2*max(abs(x) - a, 0)^2", k = 19, a = 0.894 },
                             noise = bm.noise.gaussian { D = 0.5, amplitude = bm.formula { "sqrt(1 + 0.4*x^2)" } },
                             interpretation = "ito" }
local function square(dt)
  return bm.run { model = trap, dt = dt, time = 30, paths = 2048, observe = bm.observe.average { g = "x^2" } }
end
local long = square(0.21)
local named = table.concat(long.info.warnings, "\n"):match "limit of stability.-dt = ([%d.]+) would do"
assert(named, table.concat(long.info.warnings, "\n"))
local cured, exact = square(tonumber(named)), square(5e-4)
local change = math.abs(cured:column "g"[1] - exact:column "g"[1])
assert(change < 0.02 * exact:column "g"[1] + 4 * exact:column "g_err"[1],
       ("dt = %s: %.4g for %.4g"):format(named, cured:column "g"[1], exact:column "g"[1]))

-- Far beyond stability errors have no order: no step is computed from them that the motion does not ask for.
local stiff = bm.system { variables = { "x", "y" }, equations = { x = "-100*x + y", y = "x - 2*y" },
                          noise = { x = bm.noise.gaussian { D = 1 } } }
for _, dt in ipairs { 0.015, 0.021, 0.025 } do
  r = bm.run { model = stiff, dt = dt, time = 1, paths = 512, observe = bm.observe.average { x2 = "x^2" } }
  local text = table.concat(r.info.warnings, "\n")
  assert(text:find("the step is far too long for x2", 1, true), text)
  for step in text:gmatch "dt = ([%d.e+-]+) " do assert(tonumber(step) >= 0.001, text) end
end
