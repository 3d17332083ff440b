-- What depends on time, and times that are recorded.
local bm = require "bmsim"

-- What changes with t during a run is seen by the default step: curvature that grows, jumps, pulses, rates that fall.
do
  local T1 = bm.noise.gaussian { T = 1 }
  local function check(what, value, exact, err, part)
    assert(math.abs(value - exact) < part * math.abs(exact) + 4 * err,
      ("%s: %.5g +- %.2g, exact %.5g"):format(what, value, err, exact))
  end

  -- x' = -k(t) x + noise of D = 1: d var/dt = 2 - 2 k var, by the exact map over a short time, from var = 1
  local function variance(k, t)
    local var, n = 1, 20000
    for i = 1, n do
      local h = t / n
      local rate = 2 * k((i - 0.5) * h)
      var = 2 / rate + (var - 2 / rate) * math.exp(-rate * h)
    end
    return var
  end
  local function variances(what, model, k, times, paths)
    local r = bm.run { model = model, initial = { x = { mean = 0, sd = 1 } }, time = times[#times], transient = 0,
      paths = paths, observe = bm.observe.moments { times = times } }
    assert(#r.info.warnings == 0, what .. ": " .. (r.info.warnings[1] or ""))
    local var, err = r:array "x_cumulant_2".values[1], r:array "x_cumulant_2_err".values[1]
    for i, t in ipairs(times) do check(("%s at %g"):format(what, t), var[i], variance(k, t), err[i], 0.01) end
  end
  local function trap(V) return bm.overdamped { potential = bm.potential.formula { V }, noise = T1 } end
  variances("a trap that jumps", trap "(1+99*(t>1))*x^2/2", function(t) return t > 1 and 100 or 1 end, { 1.1, 2 },
    20000)
  variances("a trap that hardens", trap "(1+9*t/2)*x^2/2", function(t) return 1 + 4.5 * t end, { 0.5, 1, 2 }, 20000)
  local system = bm.system {
    variables = { "x" }, equations = { x = "-(1+t)*x" }, noise = { x = bm.noise.gaussian { D = 1 } },
  }
  variances("a system", system, function(t) return 1 + t end, { 10, 30, 49 }, 6000)

  local r = bm.run { model = trap "(1+t)*x^2/2", initial = { x = { mean = 0, sd = 1 } }, time = 15, transient = 0.5,
    paths = 2000, observe = bm.observe.average { x2 = "x^2" } }
  check("a mean", r:column "x2"[1], 0.0843, r:column "x2_err"[1], 0.01)

  -- In a harmonic trap without noise: pulses of an impulse p at 1, and forces that decay.
  local function driven(force, t)
    local model = bm.overdamped { potential = bm.potential.harmonic {}, noise = bm.noise.gaussian { D = 0 },
      drive = bm.drive.formula { force } }
    local run = bm.run { model = model, initial = { x = 0 }, time = 2, transient = 0, paths = 64,
      observe = bm.observe.moments { times = { t } } }
    return run:array "x_cumulant_1".values[1][1], run.info.warnings
  end
  local pulse = 20 * 0.02 * math.sqrt(math.pi) * math.exp(0.0001 - 0.1)
  check("a pulse", driven("20*exp(-((t-1)/0.02)^2)", 1.1), pulse, 0, 0.01)
  check("a short pulse", driven("200*exp(-((t-1)/0.002)^2)", 1.1), pulse, 0, 0.01)
  check("a box", driven("20*((t>1)-(t>1.02))", 1.1), 20 * (math.exp(-0.08) - math.exp(-0.1)), 0, 0.01)
  check("a decay", driven("5*exp(-t/0.1)", 0.5), 5 / 9 * (math.exp(-0.5) - math.exp(-5)), 0, 0.01)
  local _, warnings = driven("2000*exp(-((t-1)/0.0002)^2)", 1.1)
  assert(#warnings == 1 and warnings[1]:find "too long for the motion", "a pulse that is too short for a default step")

  r = bm.run { model = bm.overdamped { noise = T1, events = { hop = { rate = "10*exp(-t/0.05)",
    set = { x = "x+1" } } } },
    initial = { x = 0 }, time = 5, transient = 0, paths = 100000, observe = bm.observe.events {} }
  check("events", r:column "hop_rate"[1], 0.1, r:column "hop_rate_err"[1], 0.01)
end

-- Drives that jump between two steps: the force of a step is its mean over it, so that the impulse of a period is
-- exact.
do
  local square = bm.drive.square { amplitude = 10, duty = 0.30125 }
  local pulse = bm.drive.pulse { amplitude = 100, width = 0.0123, period = 1 }
  for _, case in ipairs { { square, -3.975 }, { pulse, 1.23 } } do
    for _, spp in ipairs { false, 37 } do
      for _, family in ipairs { bm.overdamped, bm.underdamped } do
        local r = bm.run { model = family { drive = case[1] }, spp = spp or nil, periods = 100, transient = 0.5,
          paths = 64 }
        for p in r:rows() do
          print(p.velocity, p.velocity_err, case[2])
          assert(math.abs(p.velocity - case[2]) < 1e-4)
        end
      end
    end
  end

  -- Their work in a trap: <x> relaxes to the force F1 or F2 of the time, in parts a and b of the period.
  local function work_of(F1, F2, a, b)
    local low = (F2 + (F1 - F1 * math.exp(-a) - F2) * math.exp(-b)) / (1 - math.exp(-a - b))
    return (F1 - F2) * (F1 - low) * (1 - math.exp(-a))
  end
  local noise, trap = bm.noise.gaussian { D = 0.001 }, bm.potential.harmonic {}
  local function works(what, drive, period, exact)
    local r = bm.run { model = bm.overdamped { potential = trap, noise = noise, drive = drive },
                       time = 20 * period, transient = 0.5, paths = 1024, observe = { "work", "heat" } }
    for _, name in ipairs { "work", "heat" } do
      local value, err = r:column(name)[1] / 10, r:column(name .. "_err")[1] / 10
      assert(math.abs(value - exact) < 0.003 * exact + 4 * err and err < 0.002 * exact,
             ("%s, %s of a period: %.5g(%.2g), exact %.5g"):format(what, name, value, err, exact))
    end
  end
  works("square", bm.drive.square { amplitude = 1, omega = math.pi, duty = 0.2 }, 2, work_of(1, -1, 0.4, 1.6))
  works("pulse", bm.drive.pulse { amplitude = 3, width = 0.1, period = 4 }, 4, work_of(3, 0, 0.1, 3.9))
  works("formula", bm.drive.formula { "2*sign(sin(omega*t))", omega = math.pi }, 2, work_of(2, -2, 1, 1))
end

-- mod(t, P) is a period: its phase is taken in double precision, and steps see what happens within it. So means are
-- right however long a run is, or however late it begins.
do
  local noise = bm.noise.gaussian { D = 0.01 }
  local weak = bm.noise.gaussian { D = 1e-4 }
  local function check(what, r, name, exact, part)
    local value, err = r:column(name)[1], r:column(name .. "_err")[1]
    -- Of many paths, as a GPU has them at no cost, an error of the step below the part allowed may be seen.
    for _, warning in ipairs(r.info.warnings) do
      local seen = tonumber(warning:match "makes an error of %S+: (%S+) ")
      assert(seen and math.abs(seen) < part * exact, what .. ": " .. warning)
    end
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
                                       events = { hop = { rate = "20*(mod(t + 1e6, 1) < 0.1)",
                                         set = { x = "x+1" } } } },
               time = 200, paths = 512, observe = "events" }
  check("rate", r, "hop_rate", 2, 0.01)
end

-- Times at which paths are to be recorded are ends of default steps where that costs little: beside an event half a
-- step is a large part of what is recorded.
do
  local gaussian = bm.noise.gaussian
  local trap = { potential = bm.potential.harmonic { k = 1.3 }, noise = gaussian { D = 1 } }

  local function run(model, times, fields)
    local options = { model = model, paths = 4096, initial = { x = 0 }, time = times[#times] + 0.037,
                      observe = bm.observe.moments { times = times } }
    for key, value in pairs(fields or {}) do options[key] = value end
    return bm.run(options)
  end
  local function hits(what, model, times, fields)
    local r = run(model, times, fields)
    local recorded = r:array("x_cumulant_2").dims[1].values
    for i, time in ipairs(times) do
      assert(math.abs(recorded[i] - time) < 1e-9 * time, ("%s: %.9g in place of %g"):format(what, recorded[i], time))
    end
    return r
  end
  hits("trap", bm.overdamped(trap), { 0.11, 0.26, 1.7 })
  hits("thirds", bm.overdamped(trap), { 1 / 3, 2 / 3, 1 })
  local pair = bm.system { variables = { "x", "y" }, equations = { x = "-x", y = "-2*y + x" },
                           noise = { x = gaussian { D = 1 } } }
  hits("system", pair, { 0.37, 1.1, 2.05 }, { time = 2.13, observe = bm.observe.moments {
        of = "x", times = { 0.37, 1.1, 2.05 } } })

  -- Set to 0 after every 0.7: what is recorded is the time since the last event.
  local reset = bm.overdamped { potential = trap.potential, noise = trap.noise,
                                events = { reset = { every = 0.7, set = { x = "0" } } } }
  local times = { 0.69, 1.41, 2.13 }
  local r = hits("events", reset, times)
  local variance, err = r:array("x_cumulant_2").values[1], r:array("x_cumulant_2_err").values[1]
  for i, time in ipairs(times) do
    local since = time % 0.7
    local exact = (1 - math.exp(-2.6 * since)) / 1.3
    assert(math.abs(variance[i] - exact) < 4 * err[i] + 0.01 * exact,
           ("t = %g: %g +- %g, not %g"):format(time, variance[i], err[i], exact))
  end
  -- A given step is kept, and what it does to times is said.
  r = run(reset, times, { dt = 0.05 })
  assert(table.concat(r.info.warnings, "\n"):find("t = 0.69 at 0.7, and events come every 0.7", 1, true))
end

-- Events after fixed intervals, of which one comes with the beginning of the window and one with its end: the latter is
-- counted, in steps of any length. The check of the step has the same window as the run, and finds nothing.
do
  local function counted(every, dt, time, transient)
    local model = bm.overdamped { noise = bm.noise.gaussian {},
      events = { e = { every = every, set = { x = "x + 1" } } } }
    local r = bm.run { model = model, time = time, dt = dt, paths = 512, transient = transient, observe = "events" }
    assert(#r.info.warnings == 0, table.concat(r.info.warnings, "\n"))
    return r:column "e_rate"[1] * (1 - transient) * time
  end
  for _, case in ipairs {
    { 0.5, 0.02, 10, 0.1 }, { 0.5, 0.1, 11, 0.5 }, { 0.5, 0.5, 10, 0.1 }, { 0.5, 0.0625, 7.5, 0.2 },
    { 0.3, 0.07, 2100, 0.1 }, { 1.1, 0.03, 3300, 0.1 },
  } do
    local every, dt, time, transient = unpack(case)
    local n, exact = counted(every, dt, time, transient), (1 - transient) * time / every
    assert(math.abs(n - exact) < 1e-6 * exact, ("%g events every %g in steps of %g, not %g"):format(n, every, dt,
      exact))
  end
  -- Windows of no whole number of the longer steps of the check.
  counted(0.5, 0.1, 5.5, 0.1)
  counted(0.5, 0.07, 7, 0.1)

  -- What is recorded at the time of an event is the state just before it, at every time alike; the window that ends
  -- there takes the event in.
  local clock = bm.system { variables = { "n" }, events = { tick = { every = 1, set = { n = "n + 1" } } } }
  local r = bm.run { model = clock, time = 10, dt = 0.1, transient = 0, paths = 16, check_step = false,
                     observe = { "velocity", "events", bm.observe.moments { times = { 1, 5, 10 } } } }
  local seen = r:array "n_cumulant_1".values[1]
  assert(seen[1] == 0 and seen[2] == 4 and seen[3] == 9, table.concat(seen, " "))
  assert(math.abs(r:column "tick_rate"[1] - 1) < 1e-12 and math.abs(r:column "velocity_n"[1] - 1) < 1e-12)
end
