-- Amplitudes, functions of t and equations of several variables that change within a small part of their range, between
-- all places at which they are sampled: the default step resolves them.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian

-- The step: no longer than what the structure asks for, and not far shorter. Runs of some hundred steps.
local function step(model, time)
  local r = bm.run { model = model, time = time, paths = 16, check_step = false, observe = bm.observe.velocity {} }
  return r:column("dt")[1]
end
local function resolves(what, model, scale, time)
  local dt = step(model, time or 40 * scale)
  assert(dt < 0.2 * scale and dt > 0.002 * scale, ("%s: dt = %g, where %g resolves it"):format(what, dt, 0.1 * scale))
end

-- Amplitudes: a narrow dip of noise, in a period and in a parabola, and a narrow rise.
local function noisy(potential, amplitude, given)
  given[1] = amplitude
  return bm.overdamped { interpretation = "ito", potential = bm.potential.formula(potential),
                         noise = gaussian { D = 0.1, amplitude = bm.formula(given) } }
end
resolves("dip in a period",
         noisy({ "0.01*cos(2*pi*x/L)", L = 1 }, "sqrt(1-0.999*exp(-(sin(pi*(x-0.3137))/w)^2))", { w = 0.002 }),
         5 * (0.002 / math.pi) ^ 2)
for _, depth in ipairs { 0.9, -2 } do
  resolves("dip", noisy({ "x^2/2" }, "1-depth*exp(-((x-1.3137)/w)^2)", { depth = depth, w = 0.001 }),
           5 * 0.001 ^ 2 / 0.74 / depth ^ 2)
end

-- Functions of t: short pulses, wherever they are in the run, and their jumps.
local function driven(drive, given)
  given[1], given.name = drive, "pulse"
  return bm.overdamped { potential = bm.potential.formula { "x^2/2" }, noise = gaussian { D = 0.1 },
                         drive = bm.drive.formula(given) }
end
for _, text in ipairs { "300*exp(-((t-6.1803)/w)^2)", "if(abs(t-6.1803)<w,300,0)" } do
  assert(step(driven(text, { w = 2e-4 }), 10) < 0.001, text)
end

-- A system of two variables, with a well that is narrow in both.
local force = "-%s-12*(%s-%g)/w^2*exp(-((x-0.8123)^2+(y-0.3)^2)/w^2)"
resolves("two variables",
         bm.system { variables = { "x", "y" }, parameters = { w = 0.01 },
                     equations = { x = force:format("x", "x", 0.8123), y = force:format("y", "y", 0.3) },
                     noise = { x = gaussian { D = 0.5 }, y = gaussian { D = 0.5, name = "other" } } }, 0.01 ^ 2 / 12, 1)
