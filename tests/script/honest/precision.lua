local bm = require "bmsim"

-- Where a particle moves less in a step, or between kicks, than single precision resolves, or where its numbers are too
-- near to the ends of single precision, double precision is taken.
do
  local r = bm.run {
    model = bm.overdamped { potential = bm.potential.sine { V0 = 0.1 }, noise = bm.noise.poisson { D = 1e-4 },
      force = 3 },
    paths = 96, time = 2,
  }
  assert(r.info.precision == "double" and r.info.why_precision, r.info.precision)
  -- without noise the current over a sine is the root of F^2 - (2 pi V0)^2
  local v, err, near = r:column "velocity"[1], r:column "velocity_err"[1], math.sqrt(9 - (0.2 * math.pi) ^ 2)
  assert(math.abs(v - near) < 4 * err + 1e-3, ("%g +- %g, near %g"):format(v, err, near))
  r = bm.run { model = bm.overdamped { noise = bm.noise.poisson { D = 1e-7, a = 1 } }, paths = 1024 }
  v, err = r:column "velocity"[1], r:column "velocity_err"[1]
  assert(r.info.method == "exact" and r.info.precision == "double")
  assert(math.abs(v) < 4 * err and err < 0.01, ("%g +- %g, exact 0"):format(v, err))

  -- SI units: <v^2> = T/m of an atom in a trap; <x> = D/f above a wall, of a charge; events at zeros of an energy in
  -- joules come as often as those of the same formula in other units.
  local atom = { model = bm.underdamped { mass = 1.44e-25, gamma = 3e-20, noise = bm.noise.gaussian { T = 1.38e-28 },
                                          potential = bm.potential.harmonic { k = 1.44e-17 } },
                 time = 1e-2, paths = 2000, observe = "velocity_squared" }
  local function check(what, run, name, exact, part)
    v, err = run:column(name)[1], run:column(name .. "_err")[1]
    assert(math.abs(v - exact) < part * exact + 4 * err and err < 0.01 * exact,
           ("%s: %.5g(%.2g), exact %.5g"):format(what, v, err, exact))
  end
  r = bm.run(atom)
  assert(r.info.precision == "double", r.info.precision)
  check("atom", r, "velocity_squared", 1.38e-28 / 1.44e-25, 0.003)
  atom.precision, atom.paths = "single", 96
  r = bm.run(atom)
  assert(r.info.warnings[1]:find("too small or too large for single precision", 1, true), r.info.warnings[1])
  r = bm.run { model = bm.system { variables = { "x" }, equations = { x = "-1e-8" },
                                   noise = { x = bm.noise.gaussian { D = 1e-24 } },
                                   walls = { x = { "reflect", from = 0 } } },
               time = 2e-4, paths = 4000, initial = { x = 1e-16 }, transient = 0.3,
               observe = bm.observe.average { x = "x" } }
  check("charge", r, "x", 1e-16, 0.01)
  local rates = {}
  for i, s in ipairs { 1, 1e-27 } do
    local cooled = bm.system { variables = { "x" }, inertia = { x = { gamma = 0.5 } }, equations = { x = "-x" },
                               parameters = { s = s }, noise = { x = bm.noise.gaussian { T = 0.5 } },
                               events = { cool = { when = "s*(x^2/2 + v_x^2/2 - 1)", direction = "up",
                                                   set = { x = "0.5*x", v_x = "0.5*v_x" } } } }
    r = bm.run { model = cooled, time = 100, paths = 1000, precision = "double", observe = "events" }
    rates[i] = r:column "cool_rate"[1]
  end
  assert(math.abs(rates[2] / rates[1] - 1) < 1e-6, ("%g and %g"):format(unpack(rates)))
end

-- What is added in a step is resolved beside what it is added to: else double precision is taken, and single precision
-- warned of.
do
  local gaussian = bm.noise.gaussian
  local function check(what, value, err, exact, part)
    assert(math.abs(value - exact) < 4 * err and err < part * exact,
           ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
  end
  local function check_precision(what, r, precision)
    assert(r.info.precision == precision and (r.info.why_precision ~= nil) == (precision == "double"),
           what .. ": " .. r.info.precision)
  end

  -- Noise beside a drift.
  local function diffusion(what, model, run, exact, name)
    run.model, run.paths, run.observe, run.time = model, 512, "diffusion", 20
    local r = bm.run(run)
    name = name or "diffusion"
    check(what, r:column(name)[1], r:column(name .. "_err")[1], exact, 0.1)
    return r
  end
  local function rotor(w)
    return bm.system { variables = { "th" }, equations = { th = "w" }, parameters = { w = w }, period = { th = "2*pi" },
                       noise = { th = gaussian { D = 1e-3 } } }
  end
  for _, w in ipairs { 1, 3e5, 1e8 } do
    check_precision("rotor", diffusion("rotor", rotor(w), { initial = { th = 0 } }, 1e-3, "diffusion_th"),
                    w > 1 and "double" or "single")
  end
  diffusion("force", bm.overdamped { force = 3e5, noise = gaussian { D = 1e-3 } }, { dt = 0.02 }, 1e-3)
  diffusion("drive", bm.overdamped { drive = bm.drive.formula { "3e5*(1 + cos(t))" }, noise = gaussian { D = 1e-3 } },
            { dt = 0.02 }, 1e-3)
  diffusion("inertia", bm.underdamped { force = 1e5, noise = gaussian { T = 1e-9 } }, { dt = 0.02 }, 1e-9)
  local r = bm.run { model = rotor(3e5), time = 1, paths = 64, precision = "single", observe = "diffusion" }
  assert(r.info.warnings[1]:find('the noise of th in a step, .* give precision = "double"'), r.info.warnings[1])

  -- Drift beside noise, which is larger.
  local function mean(what, model, x, dt, time, exact, part)
    r = bm.run { model = model, time = time, dt = dt, paths = 16, initial = { x = x }, transient = 0,
                 observe = bm.observe.moments { times = { time } }, check_step = false }
    check_precision(what, r, "double")
    local value, err = r:array("x_cumulant_1").values[1][1], r:array("x_cumulant_1_err").values[1][1]
    assert(math.abs(value - x - exact) < 4 * err and err < part * math.abs(exact),
           ("%s: %.5g(%.2g), exact %.5g"):format(what, value - x, err, exact))
  end
  local slow = gaussian { D = 0.01 }
  mean("sine", bm.overdamped { potential = bm.potential.sine {}, noise = slow }, 0, 1e-9, 4e-4, -2 * math.pi * 4e-4,
    0.6)
  mean("force", bm.overdamped { force = 5, noise = slow }, 0.3, 1e-9, 4e-4, 2e-3, 0.6)
  mean("trap", bm.overdamped { potential = bm.potential.harmonic {}, noise = slow }, 70, 1e-8, 0.002, -0.14, 0.1)
  mean("system", bm.system { variables = { "x" }, equations = { x = "20*x" }, noise = { x = slow } }, 0.7, 1e-9, 4e-4,
       5.6e-3, 0.3)

  -- t beside the structure of a formula of t.
  r = bm.run { model = bm.overdamped { noise = gaussian { D = 1e-9 }, drive = bm.drive.formula { "exp(-(t-5e5)^2)" } },
               time = 1e6, dt = 0.9, paths = 16, initial = { x = 0 }, transient = 0,
               observe = bm.observe.moments { times = { 1e6 } }, check_transient = false }
  check_precision("late", r, "double")
  check("late", r:array("x_cumulant_1").values[1][1], r:array("x_cumulant_1_err").values[1][1], math.sqrt(math.pi),
    0.05)

  -- Ordinary models keep single precision.
  local function ordinary(model, run)
    run.model, run.paths = model, 64
    check_precision("ordinary", bm.run(run), "single")
  end
  ordinary(bm.overdamped { potential = bm.potential.sine {}, noise = gaussian { D = 1e-3 }, force = 3 }, { time = 10 })
  ordinary(bm.underdamped { potential = bm.potential.sine {}, gamma = 0.01, noise = gaussian { T = 0.1 } },
           { time = 100 })
  ordinary(bm.overdamped { drive = bm.drive.formula { "exp(-t/0.01)" }, noise = slow }, { time = 100, dt = 0.01 })
  ordinary(bm.overdamped { force = 1e-6, noise = gaussian { D = 1 } }, { time = 10 })
end

-- The mobility with a small df: copies of a path that come together again say nothing, and a force that rounding would
-- take away is seen in double precision.
do
  local function mobility(model, df)
    local r = bm.run { model = model, time = 20, paths = 1000, observe = bm.observe.mobility { df = df } }
    return r:column "mobility"[1], r:column "mobility_err"[1], r.info.precision
  end
  local noise = bm.noise.gaussian { D = 1 }
  local sine = bm.overdamped { potential = bm.potential.sine {}, noise = noise }
  local exact = 0.6239 -- 1/I0(1)^2: S. Lifson, J. L. Jackson, J. Chem. Phys. 36, 2410 (1962)
  for _, df in ipairs { 0.1, 1e-2, 1e-4, 1e-8 } do
    local value, err = mobility(sine, df)
    assert(math.abs(value - exact) < 4 * err, ("df = %g: %g +- %g"):format(df, value, err))
    assert(df < 0.1 or err < 0.03, ("df = %g: err %g"):format(df, err))
  end
  for _, df in ipairs { 0.1, 1e-4, 1e-9 } do
    local value, _, precision = mobility(bm.overdamped { noise = noise }, df)
    assert(math.abs(value - 1) < 1e-5, ("df = %g: %.9g"):format(df, value))
    assert(precision == (df < 0.01 and "double" or "single"), precision)
  end
end
