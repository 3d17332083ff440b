-- What changes within a small part of its range, or of the time.
local bm = require "bmsim"

-- Amplitudes, functions of t and equations of several variables that change within a small part of their range, between
-- all places at which they are sampled: the default step resolves them.
do
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
                       noise = { x = gaussian { D = 0.5 }, y = gaussian { D = 0.5, name = "other" } } },
                         0.01 ^ 2 / 12, 1)
end

-- Pulses of a drive that are narrower than the default step: their impulse is exact, and steps are short where it
-- matters when in a step they come.
do
  local gaussian, pulse = bm.noise.gaussian, bm.drive.pulse
  local root = math.sqrt(2 * math.pi)
  local function check(what, r, name, exact, part)
    local value, err = r:column(name)[1], r:column(name .. "_err")[1]
    assert(#r.info.warnings == 0, what .. ": " .. (r.info.warnings[1] or ""))
    assert(math.abs(value - exact) < part * math.abs(exact) + 4 * err and err < 0.02 * math.abs(exact),
           ("%s, %s: %.5g(%.2g), exact %.5g"):format(what, name, value, err, exact))
  end

  -- A free particle, and one in a trap whose mean is that of the drive.
  for _, w in ipairs { 0.01, 1e-3, 1e-4, 1e-6 } do
    for _, phase in ipairs { 0, 1.234 } do
      local drive = pulse { amplitude = 1 / w, width = w, period = 1, shape = "gaussian", phase = phase }
      local r = bm.run { model = bm.overdamped { noise = gaussian { D = 0.01 }, drive = drive }, periods = 10,
        paths = 64,
                         observe = "velocity" }
      check("free " .. w, r, "velocity", root, 1e-3)
    end
  end
  local swinging = bm.underdamped { potential = bm.potential.harmonic {}, noise = gaussian { T = 0.01 },
                                    drive = pulse { shape = "gaussian", width = 0.003, period = 10,
                                                    amplitude = 2 / (0.003 * root) } }
  check("swinging", bm.run { model = swinging, periods = 12, transient = 1 / 6, paths = 512,
                             observe = bm.observe.average { q = "x" } }, "q", 0.2, 0.01)

  -- Powers of x after kicks of 1: x = a exp(-t), a = 1/(1 - exp(-P)). Those of a velocity are the same.
  local P = 3
  local a = 1 / (1 - math.exp(-P))
  local function moment(n) return a ^ n * (1 - math.exp(-n * P)) / (n * P) end
  for _, w in ipairs { 0.004, 1e-3 } do
    for what, drive in pairs {
      box = pulse { width = w, amplitude = 1 / w, period = P }, bell = pulse { width = w, amplitude = 1 / (w * root),
                                                                             period = P, shape = "gaussian",
                                                                               phase = 2 },
      square = bm.drive.square { amplitude = 0.5 / w, duty = w / P, omega = 2 * math.pi / P, },
    } do
      local force = what == "square" and 0.5 / w or 0
      local run = { periods = 24, transient = 1 / 4, paths = 16, check_transient = false }
      run.model = bm.overdamped { potential = bm.potential.harmonic {}, noise = gaussian { D = 1e-6 }, drive = drive,
                                  force = force }
      run.observe = bm.observe.average { x2 = "x^2", x3 = "x^3" }
      local r = bm.run(run)
      check(what .. w, r, "x2", moment(2), 0.01)
      check(what .. w, r, "x3", moment(3), 0.02)
      run.model = bm.underdamped { noise = gaussian { T = 1e-6 }, drive = drive, force = force }
      run.observe = "velocity_squared"
      check("velocity, " .. what .. w, bm.run(run), "velocity_squared", moment(2), 0.01)
    end
  end

  -- Kicks over a sine: as with steps that resolve the pulse. A given step that is too long is warned of.
  local function kicked(w, dt)
    return bm.run { model = bm.overdamped { potential = bm.potential.sine {}, noise = gaussian { D = 0.3 }, force = 0.5,
                                            drive = pulse { amplitude = 0.7 / (w * root), width = w, period = 0.5,
                                                            shape = "gaussian", phase = 1 } },
                    periods = 10, paths = 1024, dt = dt, observe = "velocity" }
  end
  local short, default = kicked(2e-4, 1e-4), kicked(2e-4)
  local v, err = short:column "velocity"[1], short:column "velocity_err"[1]
  check("kicked", default, "velocity", v, 0.01 + 4 * err / v)
  local r = bm.run { model = swinging, time = 10, dt = 0.1, paths = 16, observe = bm.observe.average { q = "x" } }
  assert(r.info.warnings[1]:find("the width of a pulse is 0.003; dt = 0.01 would do", 1, true), r.info.warnings[1])

  -- A stroboscope shows one phase: the default step divides the period, and a given one that does not is warned of.
  local driven = bm.overdamped { potential = bm.potential.sine {}, noise = gaussian { D = 1e-3 },
                                 drive = bm.drive.cosine { omega = 8.37 } }
  local strobe = { model = driven, periods = 3, paths = 8, observe = bm.observe.stroboscope { periods = 2, paths = 4 } }
  local steps = 2 * math.pi / 8.37 / bm.run(strobe):column "dt"[1]
  assert(math.abs(steps - math.floor(steps + 0.5)) < 1e-6, steps)
  strobe.dt = 0.0031
  r = bm.run(strobe)
  assert(r.info.warnings[1]:find("stroboscope .* give spp = 243"), r.info.warnings[1])
end

-- Rates of events that are high in a narrow place, near the place to which events set paths, and far from it: the
-- default step resolves the place, or is short against what the rate does in it.
do
  -- In a trap with k = 1, D = 0.5 and resets to 0. Exact: 1/T(0), D T'' - x T' - r T = -1, by finite differences.
  local function check(rate, exact, kind)
    local model = { noise = { x = bm.noise.gaussian { D = 0.5 } }, events = { hop = { rate = rate,
      set = { x = "0" } } } }
    if kind == "system" then
      model.variables, model.equations = { "x" }, { x = "-x" }
      model = bm.system(model)
    else
      model.noise, model.potential = model.noise.x, bm.potential.harmonic {}
      model = bm.overdamped(model)
    end
    local r = bm.run { model = model, initial = { x = 0 }, time = 50, transient = 0.2, paths = 10000,
      observe = "events" }
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
end

-- Pulses in time that act in a part of space only, away from where paths begin, and pulses beside formulas that jump by
-- rounding: the default step sees them. The mean after a pulse is what it was, and the impulse.
do
  local function check(what, r, name, exact, part)
    local value, err = r:array(name .. "_cumulant_1").values[1], r:array(name .. "_cumulant_1_err").values[1]
    if type(value) == "table" then value, err = value[1], err[1] end
    assert(math.abs(value - exact) < 4 * err + (part or 0.001),
           ("%s: %g(%g), exact %g; dt = %g"):format(what, value, err, exact, r:column "dt"[1]))
  end

  local t0 = 3.3337
  for _, one in ipairs { { 0.9, "if(abs(x - 0.9) < 0.05, 1, 0)" }, { 1.2, "exp(-((x - 1.2)/0.3)^2)" },
                         { -0.6, "if(abs(x + 0.6) < 0.1, 1, 0)" }, { 37, "if(abs(x - 37) < 0.2, 1, 0)" },
                         { -210, "exp(-((x + 210)/0.3)^2)" }, { 4.5, "if(x > 4, if(x < 5, 1, 0), 0)" } } do
    local place, window = unpack(one)
    for _, w in ipairs(place == 0.9 and { 2e-3, 4e-4 } or { 4e-4 }) do
      local model = bm.system {
        variables = { "x" }, parameters = { A = 0.02 / w / math.sqrt(math.pi), w = w, place = place, t0 = t0 },
        equations = { x = "-10*(x - place) + A*exp(-((t - t0)/w)^2)*" .. window },
        noise = { x = bm.noise.gaussian { D = 1e-5 } } }
      local r = bm.run { model = model, time = 4, transient = 0, paths = 64, initial = { x = 0 }, check_step = false,
                         check_transient = false, observe = bm.observe.moments { times = { t0 + 5 * w } } }
      check(window, r, "x", place + 0.02 * math.exp(-50 * w))
    end
  end

  -- Far from the start, of a potential, and of two variables.
  do
    local c, w = 31, 4e-4
    local model = bm.overdamped {
      potential = bm.potential.formula { "5*(x - c)^2 - A*0.3*exp(-((t - t0)/w)^2)*tanh((x - c)/0.3)",
                                         A = 0.02 / w / math.sqrt(math.pi), w = w, c = c, t0 = t0 },
      noise = bm.noise.gaussian { D = 1e-5 } }
    local r = bm.run { model = model, time = 4, transient = 0, paths = 64, initial = { x = 0 }, check_step = false,
                       check_transient = false, observe = bm.observe.moments { times = { t0 + 5 * w } } }
    check("potential", r, "x", c + 0.02 * math.exp(-50 * w))

    model = bm.system {
      variables = { "x", "y" }, parameters = { A = 0.02 / w / math.sqrt(math.pi), w = w, t0 = t0 },
      equations = { x = "-10*(x - 50) + A*exp(-((t - t0)/w)^2)*if(abs(x - 50) < 1, if(abs(y + 20) < 1, 1, 0), 0)",
                    y = "-10*(y + 20)" },
      noise = { x = bm.noise.gaussian { D = 1e-5 } } }
    r = bm.run { model = model, time = 4, transient = 0, paths = 64, initial = { x = 0, y = 0 }, check_step = false,
                 check_transient = false, observe = bm.observe.moments { of = "x", times = { t0 + 5 * w } } }
    check("two variables", r, "x", 50 + 0.02 * math.exp(-50 * w))
  end

  -- Rounding in floor(t)/3 is no jump, so that bounds tell where there are pulses. The drive before the pulse is 0.01
  -- from t = 3 on.
  for _, form in ipairs { "floor(floor(t)/3)", "min(floor(mod(floor(t), 7)/3), 1)" } do
    local t1, half = 3.3353, 3e-4
    local text = ("0.01*%s + if(abs(t - t1) < half, 0.2/half, 0)"):format(form)
    local drive = bm.drive.formula { text, t1 = t1, half = half }
    local model = bm.overdamped { potential = bm.potential.harmonic {}, drive = drive,
                                  noise = bm.noise.gaussian { D = 1e-4 } }
    local r = bm.run { model = model, time = 4, transient = 0, paths = 64, initial = { x = 0 }, check_step = false,
                       check_transient = false, observe = bm.observe.moments { times = { t1 + 0.01 } } }
    local dt = r:column "dt"[1]
    assert(dt < half, ("%s: dt = %g"):format(form, dt))
    check(form, r, "x", 0.01 * (1 - math.exp(-(t1 + 0.01 - 3))) + 0.4 * math.exp(-0.01), 0.2 * dt / half)
  end
end
