-- The check of the step.
local bm = require "bmsim"

-- A period of the potential in every step: the particle sees the same place again and again.
do
  local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.5 }, force = 1000 }
  local r = bm.run { model = model, dt = 0.001, time = 2, paths = 256, observe = "diffusion" }
  assert(r:column "step_warning"[1] == 1)
  assert(r.info.warnings[1]:find("the time to pass the smallest structure of V", 1, true), r.info.warnings[1])
  r = bm.run { model = model, time = 2, observe = "diffusion" }
  local D, err = r:column "diffusion"[1], r:column "diffusion_err"[1]
  assert(math.abs(D - 0.5) < 4 * err and err < 0.05, ("%g +- %g, exact 0.5"):format(D, err))
end

-- Errors of the step that are of first order at worst. The check of the step must know how fast they fall: else it sees
-- errors that are not there, or misses some that are.
do
  local gaussian = bm.noise.gaussian

  -- The step that a warning of an error of the step names, the shortest if there are several; nil without one.
  local function advised(r)
    local dt
    for _, text in ipairs(r.info.warnings) do
      local named = tonumber(text:match "makes an error of .* dt = ([%d.e+-]+) would")
      if named and not (dt and dt < named) then dt = named end
    end
    return dt
  end

  -- A drive that presses paths to walls. Steps of several times D/F^2 make an error of a thousandth; much longer ones
  -- make larger ones, which say little of it.
  local D, F = 0.3, 10
  local box = bm.overdamped { noise = gaussian { D = D }, drive = bm.drive.cosine { amplitude = F, omega = 3 },
                              walls = { x = { "reflect", from = -1, to = 1 } } }
  local function squares(dt, paths)
    return bm.run { model = box, dt = dt, paths = paths, time = 20, transient = 0.3, initial = { x = 0.2 },
                    observe = bm.observe.average { x2 = "x^2" }, check_transient = false }
  end
  local exact = squares(5e-4, 512):column "x2"[1]
  local r = squares(0.005, 2048)
  assert(math.abs(r:column "x2"[1] - exact) < 0.005, ("x2 = %g, exact %g"):format(r:column "x2"[1], exact))
  assert(#r.info.warnings == 0, "a false alarm: " .. tostring(r.info.warnings[1]))
  local of_it, seen = r:column "x2_step_seen_err"[1], r:column "x2_step_seen"[1]
  assert(math.abs(r:column "x2"[1] - seen - exact) < 4 * of_it + 0.003, ("%g +- %g seen"):format(seen, of_it))
  assert(of_it > r:column "x2_err"[1] / 2, "the error is said to be known better than the value")
  r = squares(0.06, 2048)
  assert(math.abs(r:column "x2"[1] - exact) > 0.004, "a long step makes no error")
  assert(advised(r) and advised(r) < 0.01, "a long step is said to be right")

  -- Steady forces press paths to a wall. A step of 1.5 D/f^2 makes x too small, by many standard errors.
  local pressed = bm.overdamped { force = F, noise = gaussian { D = D },
                                  walls = { x = { "reflect", from = -1, to = 1 } } }
  r = bm.run { model = pressed, dt = 1.5 * D / F ^ 2, time = 3, paths = 4096, initial = { x = 0.9 }, transient = 0.3,
               observe = bm.observe.average { x = "x" }, check_transient = false }
  local off = r:column "x"[1] - (1 - D / F)
  seen = r:column "x_step_seen"[1]
  assert(-off > 5 * r:column "x_err"[1] and -seen > -off / 4 and -seen < -4 * off,
         ("off by %g, %g seen"):format(off, seen))

  -- A kink in an amplitude makes an error of an order between the first and the second. V is switched on and off.
  local motor = bm.overdamped {
    potential = bm.potential.formula { "1.69*sin(2*pi*x/L)", L = 1 }, force = -2.35, interpretation = "anti_ito",
    noise = { gaussian { D = 2.35, amplitude = bm.formula { "1 + 0.597*abs(sin(pi*x))" } },
              bm.noise.dichotomous { Fa = 1, Fb = 0, mu_a = 0.892, mu_b = 7.75, modulate = "potential" } },
  }
  local function cosines(dt, paths)
    local run = bm.run { model = motor, dt = dt, paths = paths, time = 2, transient = 0.3, initial = { x = 0 },
                         observe = bm.observe.average { c = "cos(2*pi*x)" }, check_transient = false }
    return run, run:column "c"[1], run:column "c_err"[1]
  end
  local _, right, right_err = cosines(nil, 8192)
  local long, value = cosines(0.00287, 4096)
  local dt = advised(long)
  assert(math.abs(value - right) > 5 * right_err, "a long step makes no error")
  assert(dt and dt < 0.0015, "an error at a kink of an amplitude is not seen")
  local _, cured, cured_err = cosines(dt, 4096)
  assert(math.abs(cured - right) < 4 * math.sqrt(cured_err ^ 2 + right_err ^ 2), ("%g, not %g"):format(cured, right))

  -- A given step that is long for a kink of V makes an error of first order there, though noise takes paths further in
  -- it than forces do. Boltzmann's law is exact.
  local V0, heat, near = 0.277, 0.0741, 0.15
  local inside, all = 0, 0
  for i = 1, 20000 do
    local x = -0.5 + (i - 0.5) / 20000
    local p = math.exp(-V0 * math.abs(math.sin(math.pi * x)) / heat)
    all, inside = all + p, inside + (math.abs(x) < near and p or 0)
  end
  local kinked = bm.overdamped { potential = bm.potential.formula { ("%g*abs(sin(pi*x/L))"):format(V0), L = 1 },
                                 noise = gaussian { D = heat } }
  r = bm.run { model = kinked, dt = 0.044, paths = 4096, time = 60, transient = 0.3, initial = { x = 0 },
               observe = bm.observe.average { near = ("cos(2*pi*x) > %.17g"):format(math.cos(2 * math.pi * near)) },
               check_transient = false }
  off, seen = r:column "near"[1] - inside / all, r:column "near_step_seen"[1]
  assert(math.abs(off) > 0.01 and seen / off > 0.5 and seen / off < 2.5, ("off by %g, %g seen"):format(off, seen))
  assert(#r.info.warnings > 0, "an error at a kink of V is not seen")

  -- A given step, six times the default one, that makes <z^2> wrong by a fifth, which is eight standard errors.
  local stiff = bm.system { variables = { "z" }, equations = { z = "-32.5*z - 1.1" },
                            noise = { z = gaussian { D = 1e-3 } },
                            events = { reset = { rate = "0.754", set = { z = "0.633" } } } }
  r = bm.run { model = stiff, dt = 0.0184, paths = 2048, time = 1.7, transient = 0.3, initial = { z = 0 },
               observe = bm.observe.average { zz = "z^2" }, check_transient = false }
  assert(r:column "step_warning"[1] == 1, r.info.step_check)
end

-- The check of the step compares all that a run has: a step that is too long, but not so long that the motion alone
-- tells, is warned of in recordings and arrays of every kind; the default step is not.
do
  local gaussian, observe = bm.noise.gaussian, bm.observe

  local function warnings(r) return table.concat(r.info.warnings, "\n") end
  local function run(model, dt, options)
    local fields = { model = model, dt = dt, paths = 2048 }
    for key, value in pairs(options) do fields[key] = value end
    return bm.run(fields)
  end
  -- what: how the message names the number that is wrong.
  local function seen(what, model, dt, options)
    local r = run(model, dt, options)
    assert(warnings(r):find("makes an error of " .. what), what .. ": " .. warnings(r) .. "\n" .. r.info.step_check)
    assert(r:column "step_warning"[1] == 1)
    r = run(model, nil, options)
    assert(not warnings(r):find "makes an error", what .. ", default: " .. warnings(r))
    local subject = what:match "^[%w_]+"
    assert(r.info.step_check:find(subject), what .. " is not in: " .. r.info.step_check)
  end

  local trap = bm.overdamped { potential = bm.potential.harmonic {}, noise = gaussian { D = 1 } }
  seen("moments: x_cumulant_1 at t = 1.2", trap, 0.6,
       { time = 6, initial = { x = 3 }, observe = observe.moments { times = { 1.2, 6 } } })
  seen("paths: mean of x at t = ", trap, 0.6,
       { time = 6, transient = 0, initial = { x = 3 }, observe = observe.paths { count = 6 } })
  seen("density: probability at x < ", trap, 0.6,
       { time = 24, observe = observe.density { range = { -4, 4 }, bins = 40, count = 20 } })
  seen("correlation: correlation at lag = ", trap, 0.6,
       { time = 36, observe = observe.correlation { of = "position", step = 1.2, lags = 4, origins = 20 } })
  seen("spectrum: mean of the octave at f >= ", trap, 0.6,
       { time = 120, paths = 1024,
         observe = observe.spectrum { of = "position", step = 1.2, samples = 32, segments = 4 } })
  local tilted = bm.overdamped { potential = bm.potential.sine {}, noise = gaussian { D = 0.5 }, force = 4 }
  seen("current: mean over all places", tilted, 0.008,
       { time = 12, method = "euler", observe = observe.current { bins = 8 } })
  local pair = bm.system { variables = { "x", "y" }, equations = { x = "-x", y = "-y + x" },
                           noise = { x = gaussian { D = 1 } } }
  seen("density_x_y: probability at y < ", pair, 0.6,
       { time = 24, observe = observe.density { of = { "x", "y" }, range = { x = { -4, 4 }, y = { -4, 4 } }, bins = 20,
                                                count = 20 } })

  -- A force that jumps at 0, by which the density there is far too low.
  local ramp = bm.system { variables = { "x" }, equations = { x = "-mu*sign(x)" }, parameters = { mu = 4 },
                           noise = { x = gaussian { D = 1 } } }
  seen("density_x: probability at x < ", ramp, 0.05,
       { time = 10, initial = { x = 0 }, observe = observe.density { range = { -0.25, 0.25 }, bins = 2, count = 20 } })

  -- Times that are no ends of longer steps are left out, and said where nothing is left.
  local r = run(trap, 0.6, { time = 6, observe = observe.correlation { of = "position", step = 0.6, lags = 2,
                                                                       origins = 2 } })
  assert(r.info.step_check:find "^not checked: nothing that is recorded", r.info.step_check)
  r = run(trap, 0.1, { time = 8.1, observe = observe.moments { times = { 2.7, 8.1 } } })
  assert(r.info.step_check:find "moments: [xv]_cumulant_%d at t = ", r.info.step_check)
end

-- Pulses narrower than a step that was given, which steps twice as long meet at the same phases: the check of the step
-- must see them, and the shortest step that the warnings name must be right.
do
  local gaussian = bm.noise.gaussian
  local sqrt_2pi = math.sqrt(2 * math.pi)

  local function advised(r)
    local dt = math.huge
    for _, text in ipairs(r.info.warnings) do dt = math.min(dt, tonumber(text:match "dt = ([%d.e+-]+) would" or dt)) end
    return dt
  end
  -- x is moved by `exact` in 10 pulses.
  local function check(what, drive, exact, dt, follow)
    local model = bm.overdamped { noise = gaussian { D = 0.01 }, drive = drive }
    local function run(step)
      local r = bm.run { model = model, time = 10, dt = step, paths = 256, transient = 0, initial = { x = 0 },
                         observe = bm.observe.moments { times = { 10 } }, check_transient = false }
      return r, r:array "x_cumulant_1".values[1][1], r:array "x_cumulant_1_err".values[1][1]
    end
    local r, value, err = run(dt)
    local wrong, step = math.abs(value - exact) > 4 * err and math.abs(value - exact) > 0.02 * exact, advised(r)
    assert(not wrong or step < dt / 2, ("%s, dt = %g: %g, exact %g: %s"):format(what, dt, value, exact,
                                                                                 r.info.step_check))
    if not follow or step == math.huge then return end
    r, value, err = run(step)
    assert(advised(r) == math.huge and math.abs(value - exact) < math.max(4 * err, 0.02 * exact),
           ("%s, dt = %g: %g, exact %g: %s"):format(what, step, value, exact, r.info.step_check))
  end

  for _, dt in ipairs { 0.05, 0.0307, 0.047, 0.013 } do
    local w = 1e-3
    check("pulses", bm.drive.pulse { amplitude = 1 / w, width = w, period = 1, shape = "gaussian" }, 10 * sqrt_2pi, dt)
    check("formula", bm.drive.formula { ("exp(-((mod(t,1)-0.5)/%g)^2/2)/%g"):format(w, w) }, 10 * sqrt_2pi, dt,
          true)
  end
  check("rectangles", bm.drive.pulse { amplitude = 500, width = 0.002, period = 1 }, 10, 0.02)
  -- one step a period
  check("a square of a cosine", bm.drive.formula { "2*cos(2*pi*t/0.05)^2" }, 10, 0.05)
  check("a cosine and its mean", bm.drive.formula { "1 + 3*cos(2*pi*t/0.1)" }, 10, 0.1)
end

-- A step four times the relaxation time: named before the run, seen in it, and nothing is extrapolated from it.
do
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

  -- Where steps four times as long diverge, a step that is too long for the motion by far is not to be shortened by
  -- four, but to one that is good.
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
end
