-- mod(t, P) is a period: its phase is taken in double precision, and steps see what happens within it. So means are
-- right however long a run is, or however late it begins.
local bm = require "bmsim"
local noise = bm.noise.gaussian { D = 0.01 }
local weak = bm.noise.gaussian { D = 1e-4 }
local function check(what, r, name, exact, part)
  local value, err = r:column(name)[1], r:column(name .. "_err")[1]
  assert(#r.info.warnings == 0, what .. ": " .. (r.info.warnings[1] or ""))
  assert(math.abs(value - exact) < part * exact + 4 * err and err < 0.01 * exact,
         ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
end
local function velocity(what, model, exact, time, name)
  check(what, bm.run { model = model, time = time, paths = 64, observe = "velocity", check_transient = false },
        name or "velocity", exact, 0.01)
end
local function driven(formula, exact, time, values)
  local parameters = { formula }
  for name, value in pairs(values or {}) do parameters[name] = value end
  velocity(formula, bm.overdamped { noise = weak, drive = bm.drive.formula(parameters) }, exact, time)
end
local root = math.sqrt(math.pi)

-- a run of 2000 periods: steps are those of one period
driven("mod(t,1) < 0.3", 0.3, 2000)

-- 10^6 and more periods before t = 0 are as many after it
driven("exp(-((mod(t + 1e6,1)-0.5)/0.02)^2)", 0.02 * root, 1000)
driven("mod(t - 1e7, 1)", 0.5, 200)
driven("t/P - floor(t/P - t0)", 7.7e5 + 0.5, 300, { P = 3, t0 = 7.7e5 })
driven("abs(2*mod(t/P + 1e6,1) - 1)", 0.5, 300, { P = 3 })
driven("mod(floor(t + 1e7), 2)", 0.5, 400)
driven("mod(floor(t), 3) + mod(omega*t, 2*pi)/(2*pi) - 0.5", 1, 300, { omega = 2 })
driven("mod(t + 1e6, 1)*mod(t + 1e6, sqrt(2))", math.sqrt(2) / 4, 200)

-- equations, potentials, amplitudes and rates
local function system(equation, amplitude)
  return bm.system { variables = { "x" }, equations = { x = equation },
                     noise = { x = bm.noise.gaussian { D = 0.01, amplitude = amplitude } } }
end
velocity("equation", system("mod(t + 1e6, 1) < 0.3"), 0.3, 400, "velocity_x")
velocity("potential", bm.overdamped { noise = noise, potential = bm.potential.formula { "-x*mod(t + 1e6, 2)" } }, 1,
         200)
local r = bm.run { model = system("0", bm.formula { "sqrt(3)*mod(t + 1e6, 1)" }), time = 100, paths = 40000,
                   observe = "diffusion", check_transient = false }
check("amplitude", r, "diffusion_x", 0.01, 0.01)
r = bm.run { model = bm.overdamped { noise = noise,
                                     events = { hop = { rate = "20*(mod(t + 1e6, 1) < 0.1)", set = { x = "x+1" } } } },
             time = 200, paths = 256, observe = "events" }
check("rate", r, "hop_rate", 2, 0.01)
