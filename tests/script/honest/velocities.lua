-- Velocities, and coloured noise.
local bm = require "bmsim"

-- Velocities at the ends of steps, at the default step: their variance in traps of several frictions, alone and in a
-- formula, and their mean under a constant force.
do
  local function check(what, value, err, exact)
    assert(math.abs(value - exact) < 0.004 * exact + 4 * err and err < 0.003 * exact,
           ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
  end
  for _, case in ipairs { { m = 1, gamma = 1, k = 1 }, { m = 0.2, gamma = 1, k = 1 }, { m = 1, gamma = 1, k = 20 } } do
    local r = bm.run {
      model = bm.underdamped { mass = case.m, gamma = case.gamma, noise = bm.noise.gaussian { T = 0.5 },
                               potential = bm.potential.harmonic { k = case.k } },
      time = 60, transient = 0.2, paths = 16384,
      observe = { bm.observe.average { v2 = "v^2", x2 = "x^2" }, bm.observe.correlation { of = "velocity", lags = 2 } },
    }
    local what = ("m = %g, k = %g"):format(case.m, case.k)
    check(what .. ", v^2", r:column "v2"[1], r:column "v2_err"[1], 0.5 / case.m)
    check(what .. ", x^2", r:column "x2"[1], r:column "x2_err"[1], 0.5 / case.k)
    local at_once, err = r:array "correlation", r:array "correlation_err"
    assert(math.abs(at_once.values[1][1] - 0.5 / case.m) < 0.004 * 0.5 / case.m + 4 * err.values[1][1])
  end
  local r = bm.run { model = bm.underdamped { force = 2, noise = bm.noise.gaussian { T = 0.1 } }, time = 200,
                     transient = 0.1, paths = 4096, observe = bm.observe.average { v = "v" } }
  check("mean velocity", r:column "v"[1], r:column "v_err"[1], 2)
end

-- Integrals over velocities, and of them over positions, at the default step and at a longer one. Means per time in
-- equilibrium follow from <v^2> = T/m and from partial integration, as of x o dv = d(x v) - v^2 dt.
do
  local time, transient = 50, 0.2
  local function check(what, options, exact, part)
    local integrals = {}
    for name, one in pairs(exact) do integrals[name] = one[1] end
    options.time, options.transient, options.paths = time, transient, options.paths or 3000
    options.observe = bm.observe.integral(integrals)
    local r = bm.run(options)
    for name, one in pairs(exact) do
      local right = one[2] * time * (1 - transient)
      local value, err = r:column(name)[1], r:column(name .. "_err")[1]
      assert(math.abs(value - right) < (part or 0.01) * math.abs(right) + 4 * err and err < 0.015 * math.abs(right),
             ("%s, %s: %.5g(%.2g), exact %.5g"):format(what, name, value, err, right))
    end
  end

  local gaussian = bm.noise.gaussian
  local trapped = bm.underdamped { potential = bm.potential.harmonic {}, noise = gaussian { T = 1 } }
  local of_powers = { s = { "v^2", 1 }, y = { { x = "v" }, 1 }, w = { { v = "x" }, -1 }, z = { { v = "x^3" }, -3 },
                      u = { { x = "x^2*v" }, 1 }, q = { { v = "x*v^2" }, -1 }, both = { { x = "v", v = "-x" }, 2 } }
  check("trap", { model = trapped }, of_powers)
  check("trap, dt = 0.2", { model = trapped, dt = 0.2 }, of_powers, 0.025)
  check("m = 0.5, gamma = 2, k = 3, T = 2", {
    model = bm.underdamped { mass = 0.5, gamma = 2, potential = bm.potential.harmonic { k = 3 },
                             noise = gaussian { T = 2 } } },
    { s = { "v^2", 4 }, y = { { x = "v" }, 4 }, w = { { v = "x" }, -4 }, z = { { v = "x^3" }, -8 },
      u = { { x = "x^2*v" }, 8 / 3 }, q = { { v = "x*v^2" }, -16 }, both = { { x = "v", v = "-x" }, 8 } })
  check("trap, heun", { model = trapped, method = "heun", dt = 0.08 }, of_powers)
  check("trap, x over v alone", { model = trapped }, { w = of_powers.w })
  local of_time = { w = { { v = "2*x*cos(2*t)^2" }, -1 }, y = { { x = "2*v*sin(2*t)^2" }, 1 } }
  check("a formula of t, heun", { model = trapped, method = "heun", dt = 0.08 }, of_time)

  -- flips of a force divide steps: its work adds a^2 r/(r^2 + r + 1) to <v^2>, r being twice the rate of flips
  check("flips", { model = bm.underdamped { potential = bm.potential.harmonic {},
                                            noise = { gaussian { T = 1 },
                                                      bm.noise.dichotomous { Fa = 1, Fb = 1, mu_a = 1, mu_b = 1 } } } },
        { y = { { x = "v" }, 1 + 2 / 7 }, w = { { v = "x" }, -1 - 2 / 7 }, s = { "v^2", 1 + 2 / 7 } })

  local mixed = bm.system {
    variables = { "x", "y", "z" }, equations = { x = "-x - 2*(x - y)", y = "-y - 2*(y - x)", z = "-z" },
    inertia = { x = true, y = true },
    noise = { x = gaussian { T = 1 }, y = gaussian { T = 1, name = "other" }, z = gaussian { D = 1, name = "third" } },
  }
  check("springs, and a variable without inertia", { model = mixed },
        { a = { { x = "v_x + v_y" }, 1 }, b = { { v_x = "x + y" }, -1 },
          c = { { x = "v_x*z^2" }, 1 }, d = { { v_x = "x*z^2" }, -1 } })

  -- second order: coarse steps of the same noise tell the error
  local r = bm.run { model = trapped, time = time, transient = transient, paths = 2048, dt = 0.4, step_error = true,
                     observe = bm.observe.integral { y = { x = "v" }, w = { v = "x" } } }
  for name, right in pairs { y = 40, w = -40 } do
    local value, err = r:column(name .. "_extrapolated")[1], r:column(name .. "_extrapolated_err")[1]
    assert(math.abs(value - right) < 4 * err + 0.3 and err < 1.5, ("%s: %.5g(%.2g)"):format(name, value, err))
    assert(math.abs(r:column(name .. "_step")[1]) < 3, name .. "_step")
  end
end

-- Inertia and steps longer than m/gamma: drift, diffusion and <v^2> of linear systems do not depend on the step.
do
  local function check(what, value, err, exact, resolution)
    print(what, value, err, exact)
    assert(err <= resolution * exact and math.abs(value - exact) < 4 * err, what)
  end

  -- The step of a slow drive that has no amplitude, 0.157, is 16 m/gamma; and mass 1e-6, dt 0.01: 10000 m/gamma.
  local drive = bm.drive.cosine { amplitude = 0, omega = 0.1 }
  for _, run in ipairs { { mass = 0.01, drive = drive, periods = 3 }, { mass = 1e-6, dt = 0.01, time = 20 } } do
    local r = bm.run {
      model = bm.underdamped { mass = run.mass, gamma = 1, force = 1, noise = bm.noise.gaussian { T = 1 },
        drive = run.drive },
      dt = run.dt, periods = run.periods, time = run.time, paths = 20000, observe = { "velocity", "diffusion" },
        seed = 1,
    }
    for p in r:rows() do
      check("v", p.velocity, p.velocity_err, 1, 0.01)
      check("D", p.diffusion, p.diffusion_err, 1, 0.02)
    end
  end

  -- <v^2> = T/m, dt = 5 m/gamma.
  local r = bm.run {
    model = bm.underdamped { mass = 0.01, gamma = 1, potential = bm.potential.harmonic { k = 2 },
      noise = bm.noise.gaussian { T = 0.5 } },
    dt = 0.05, time = 20, paths = 20000, observe = "velocity_squared", seed = 1,
  }
  for p in r:rows() do check("<v^2>", p.velocity_squared, p.velocity_squared_err, 50, 0.002) end
end

-- Noise that is given by its temperature, where gamma is a formula, is in equilibrium at that temperature whatever the
-- interpretation of other noise: <v^2> = T/m and <v^4> = 3 (T/m)^2, whatever gamma depends on.
do
  local T = 0.4
  local function check(what, r, exact, part)
    for name, value in pairs(exact) do
      local got, err = r:column(name)[1], r:column(name .. "_err")[1]
      assert(math.abs(got - value) < part * value + 4 * err and err < part * value,
             ("%s: %s %.5g(%.2g), exact %.5g"):format(what, name, got, err, value))
    end
  end
  local function bath(name) return bm.noise.gaussian { name = name or "bath", T = T } end

  for _, case in ipairs { { "1 + v_x^2", 1 }, { "1 + v_x^2", 1, "ito" }, { "1 + v_x^2", 2.5, "anti_ito" },
                          { "3/(1 + 4*v_x^2)", 1 } } do
    local gamma, mass, interpretation = unpack(case)
    local model = bm.system { variables = { "x" }, inertia = { x = { gamma = gamma, mass = mass } },
                              noise = { x = bath() }, interpretation = interpretation }
    check(gamma, bm.run { model = model, time = 40, paths = 4096,
                          observe = bm.observe.average { v2 = "v_x^2", v4 = "v_x^4" } },
          { v2 = T / mass, v4 = 3 * (T / mass) ^ 2 }, 0.015)
  end
  -- In a well, with friction of both; the potential energy knows the same temperature.
  local well = bm.system {
    variables = { "x" }, inertia = { x = { gamma = "g*(1 + 2*x^2 + v_x^2)" } }, equations = { x = "-2*x" },
    parameters = { g = 0.7 }, noise = { x = bath() },
  }
  check("well", bm.run { model = well, time = 60, paths = 4096,
                         observe = bm.observe.average { v2 = "v_x^2", x2 = "x^2" } },
        { v2 = T, x2 = T / 2 }, 0.015)
  -- Two variables, whose friction depends on both velocities, beside noise in the interpretation that is asked for:
  -- d<y^2>/dt = 2 (-1 + D b'^2) <y^2> + 2 D for Ito's.
  local several = bm.system {
    variables = { "x", "z", "y" }, interpretation = "ito",
    inertia = { x = { gamma = "1 + v_x^2 + v_z^2" }, z = { gamma = "1 + 2*v_x^2 + v_z^2", mass = 2 } },
    equations = { y = "-y" },
    noise = { x = bath "of_x", z = bath "of_z", y = bm.noise.gaussian { D = 0.5, amplitude = "sqrt(1 + y^2/2)" } },
  }
  check("several", bm.run { model = several, time = 40, paths = 4096,
                            observe = bm.observe.average { x2 = "v_x^2", z2 = "v_z^2", y2 = "y^2" } },
        { x2 = T, z2 = T / 2, y2 = 0.5 / 0.75 }, 0.02)

  assert(tostring(well):find("of noise given by T", 1, true), tostring(well))
end

-- Coloured noise far faster than the step: the force is its mean over the step, drawn exactly, so that D is D.
do
  local model = bm.overdamped { noise = bm.noise.ornstein_uhlenbeck { D = 1, tau = 0.001 } }
  for _, precision in ipairs { "single", "double" } do
    local r = bm.run {
      model = model, sweep = { { "ornstein_uhlenbeck.tau", { 1e-5, 1e-3, 1e-2 } } }, dt = 0.01, time = 20,
        paths = 20000,
      observe = "diffusion", precision = precision, seed = 1,
    }
    for p in r:rows() do
      print(precision, p.ornstein_uhlenbeck.tau, p.diffusion, p.diffusion_err)
      assert(p.diffusion_err < 0.012)
      assert(math.abs(p.diffusion - 1) < 4 * p.diffusion_err)
    end
  end
end
