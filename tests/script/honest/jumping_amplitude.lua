-- Noise with an amplitude that jumps: Ito's interpretation has a meaning there, and others are refused, since no step
-- sees the slope that they contain.
local bm = require "bmsim"
local function gaussian(amplitude, more)
  local fields = { D = 0.5, amplitude = amplitude }
  for name, value in pairs(more or {}) do fields[name] = value end
  return bm.noise.gaussian(fields)
end
local box = { x = { "reflect", from = -1, to = 1 } }
local function one(amplitude, interpretation, walls)
  return bm.overdamped { noise = gaussian(amplitude), interpretation = interpretation, walls = walls or box }
end
local function refused(model, ...)
  local ok, message = pcall(bm.run, { model = model, time = 0.1, dt = 0.01, paths = 32,
                                      observe = bm.observe.average { one = "1" } })
  assert(not ok, "it was run: " .. (...))
  for _, part in ipairs { ... } do assert(message:find(part, 1, true), message) end
end
-- Whether it would be run, were the run not shorter than a step: so that no kernel is compiled.
local function runs(model)
  local ok, message = pcall(bm.run, { model = model, time = 0.1, dt = 1, paths = 32,
                                      observe = bm.observe.average { one = "1" } })
  assert(not ok and message:find("must last at least one step", 1, true), message)
end

local jumping = { "1 + (x > 0)", "if(x > 0, 2, 1)", "1.5 + 0.5*sign(x)", "1 + floor(x + 1)" }
for _, b in ipairs(jumping) do
  for _, how in ipairs { "stratonovich", "anti_ito" } do
    refused(one(b, how), "amplitude must not jump where the noise moves: at x = 0 it rises from 1 to 2",
            ('interpretation = "%s" needs its slope; make it a slope, or give "ito"'):format(how))
  end
end
-- The density is in proportion to 1/b^2 by Ito's, with the default step.
local function share(model, exact)
  local r = bm.run { model = model, time = 10, paths = 2048, initial = { x = { from = -1, to = 1 } }, transient = 0.4,
                     observe = bm.observe.average { right = "x > 0" } }
  local value, err = r:column "right"[1], r:column "right_err"[1]
  assert(math.abs(value - exact) < 0.02 * exact + 4 * err and err < 0.02 * exact,
         ("%g(%g), exact %g"):format(value, err, exact))
end
share(one("1 + (x > 0)", "ito"), 1 / 5)
-- Other places: within a narrow window, far out, at an edge of a period that the formula makes, between walls that are
-- swept, at a velocity, on a curve.
refused(one("1 + 0.5*(abs(x - 0.3) < 1e-4)"), "amplitude must not jump", "at x = 0.2999")
refused(one("1 + (x > 37.5)", "stratonovich", {}), "at x = 37.5")
refused(bm.overdamped { potential = bm.potential.sine {}, noise = gaussian "1 + mod(x, 1)" }, "falls from 2 to 1")
refused(bm.underdamped { noise = gaussian "1 + (v > 0.5)" }, "at v = 0.5 it rises from 1 to 2")
local function two(fields)
  fields.variables = { "x", "y" }
  return bm.system(fields)
end
refused(two { noise = { x = gaussian "if(x > y, 1, 2)" } }, "amplitude must not jump")
-- however small the region is
refused(one("1 + 0.5*(abs(x^2 - 0.1) < 1e-5)", "anti_ito"), "amplitude must not jump", "from 1 to 1.5")
refused(one("2 + x + 0.5*(abs(x^2 - 0.1) < 1e-5)", "anti_ito"), "at x = -0.316244")
refused(one("1 + (exp(x) > 1.5)*(exp(x) < 1.50001)", "anti_ito"), "at x = 0.405465")
for _, window in ipairs { "((x - 0.3)^2 + (y - 0.2)^2 < 0.01)", "((x - 0.3)^2 + (y - 0.2)^2 < 1e-6)",
                          "(abs(x*y - 0.3) < 0.001)", "(abs(x - 0.3) < 0.001)*(abs(y - 0.2) < 0.001)",
                          "(x > 0.3)*(x < 0.3001)*(y > 0.7)*(y < 0.701)" } do
  refused(two { noise = { x = gaussian("1 + " .. window), y = bm.noise.gaussian { name = "of_y" } } },
          "amplitude must not jump", "from 1 to 2")
end
refused(two { noise = { x = gaussian "if(s > 0.5, 1, 2)" }, define = { s = "x*x" } }, "from 1 to 2")
refused(two { noise = { gaussian { x = "1", y = "1 + (x > 0)" } } }, "at x = 0")
-- Noise that is given by T where gamma is a formula has one interpretation only.
local function friction(gamma, interpretation)
  return bm.system { variables = { "x" }, inertia = { x = { gamma = gamma } }, interpretation = interpretation,
                     noise = { x = bm.noise.gaussian { T = 0.4 } } }
end
refused(friction("1 + (v_x > 1)", "ito"), "its amplitude, sqrt(gamma), must not jump", "at v_x = 1")

-- What does not jump, or not where the noise moves.
local swept = one(bm.formula { "1 + c*(x > 0)", c = 0 })
runs(swept)
local ok, message = pcall(bm.run, { model = swept, time = 0.1, dt = 0.01, paths = 32,
                                    sweep = { "gaussian.amplitude.c", { 0, 1 } },
                                    observe = bm.observe.average { one = "1" } })
assert(not ok and message:find("must not jump", 1, true), message)
runs(one "if(x > 0, 1 + x, 1)")
runs(one "1.5 + 0.5*max(-1, min(1, x/0.05))")
runs(one "1 + abs(mod(x, 1) - 0.5)")
runs(one("1 + (x > 1)"))
runs(bm.underdamped { noise = gaussian "1 + (x > 0)" })
runs(friction "1 + (x > 0)")
runs(two { noise = { x = gaussian "1 + (y > 0)", y = bm.noise.gaussian { name = "of_y" } } })
runs(two { noise = { x = gaussian "1 + (sin(5*t) > 0)" } })
runs(two { noise = { gaussian { x = "1", y = "1 + c*0*(x > 0)" } }, parameters = { c = 1 } })
-- Kicks and coloured noise mean one thing, whatever the amplitude.
runs(bm.overdamped { noise = bm.noise.poisson { lambda = 3, D = 0.2, amplitude = "1 + (x > 0)" } })
runs(bm.overdamped { noise = bm.noise.ornstein_uhlenbeck { D = 0.2, tau = 0.5, amplitude = "1 + (x > 0)" } })

-- Heun's limit is not Ito's at a jump: euler takes its place.
local beside = bm.overdamped {
  noise = { gaussian("1 + (x > 0)", { name = "jumping" }), bm.noise.gaussian { name = "bath", D = 0.3 } },
  interpretation = "ito", walls = box,
}
local r = bm.run { model = beside, time = 10, dt = 5e-4, paths = 1024, initial = { x = { from = -1, to = 1 } },
                   transient = 0.4, observe = bm.observe.average { right = "x > 0" } }
local exact = 1 / 2.3 / (1 / 2.3 + 1 / 0.8)
assert(math.abs(r:column "right"[1] - exact) < 0.03 * exact + 4 * r:column "right_err"[1], r:column "right"[1])
ok, message = pcall(bm.run, { model = beside, time = 0.1, dt = 0.01, paths = 32, method = "heun",
                              observe = bm.observe.average { one = "1" } })
local why = "method heun: the amplitude of noise.gaussian 'jumping' jumps at x = 0"
assert(not ok and message:find(why, 1, true), message)
