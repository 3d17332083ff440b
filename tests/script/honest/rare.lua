-- What few paths or few events decide.
local bm = require "bmsim"

-- Rare kicks, and events, take paths far into a force that grows faster than the distance, where steps that suit all
-- other times would throw them out: default steps bring them back. In x' = x - x^3 + noise the mean of x^4 - x^2 is D
-- of all the noise together, once the start is forgotten.
do
  local D = 0.5
  local function noise(law, zeta, sigma)
    return { bm.noise.gaussian { D = D }, bm.noise.poisson { lambda = 1, zeta = zeta, law = law, sigma = sigma } }
  end
  local function alone(kicks)
    return bm.overdamped { potential = bm.potential.formula { "x^4/4 - x^2/2" }, noise = kicks }
  end
  local function system(kicks)
    return bm.system { variables = { "x", "y" }, equations = { x = "x - x^3", y = "x - y" }, noise = { x = kicks } }
  end

  local function check(what, model, of_kicks, formula)
    local r = bm.run { model = model, initial = { x = 1 }, time = 40, transient = 0.2, paths = 512,
                       observe = bm.observe.average { power = formula or "x^4 - x^2" } }
    local value, err, exact = r:column "power"[1], r:column "power_err"[1], D + of_kicks
    assert(#r.info.warnings == 0, what .. ": " .. table.concat(r.info.warnings, "; "))
    assert(math.abs(value - exact) < 4 * err and err < 0.15 * exact,
           ("%s: %.4g(%.2g), exact %.4g"):format(what, value, err, exact))
  end
  for name, model in pairs { alone = alone, system = system } do
    check(name .. ", exponential", model(noise("exponential", 3)), 9)
    check(name .. ", two-sided", model(noise("two_sided", 3)), 9)
    check(name .. ", gaussian", model(noise("gaussian", 1, 6)), 37 / 2)
    check(name .. ", constant", model(noise("constant", 12)), 72)
  end

  -- Events that add 20 E to x, at the rate 1/2, are such kicks, too; their mean is not subtracted. And kicks with an
  -- amplitude.
  check("events", bm.overdamped { potential = bm.potential.formula { "x^4/4 - x^2/2" },
                                  noise = bm.noise.gaussian { D = D },
                                  events = { far = { rate = "0.5", set = { x = "x + 20*E" } } } },
        200, "x^4 - x^2 - 10*x")
  check("amplitude", alone { bm.noise.gaussian { D = D },
                             bm.noise.poisson { lambda = 0.5, zeta = 1, law = "two_sided", amplitude = "1 + abs(x)" } },
        0, "x^4 - x^2 - 0.5*(1 + abs(x))^2")
end

-- The error of a Fano factor where events are so rare that hardly a path has two of them. Of a Poisson process it is 1:
-- over many seeds, (estimate - 1)/error must not scatter by more than 1. Events that keep a distance have their own.
do
  local function deviations(rate, paths, options)
    local model = bm.overdamped { noise = bm.noise.gaussian { D = 0.1 },
                                  events = { e = { rate = rate, set = { x = "0" } } } }
    local squares, worst, errors, seeds = 0, 0, 0, 40
    for seed = 1, seeds do
      local r = bm.run { model = model, time = 2, dt = 0.1, transient = 0, paths = paths, seed = seed,
        check_step = false,
                         target = options.target, limit = options.limit, initial = { x = 0 }, observe = "events" }
      local fano, err = r:column "e_fano"[1], r:column "e_fano_err"[1]
      assert(err == err and fano == fano, ("rate %g, seed %d: no error"):format(rate, seed))
      local z = (fano - 1) / err
      squares, worst, errors = squares + z * z, math.max(worst, math.abs(z)), errors + err / seeds
    end
    return math.sqrt(squares / seeds), worst, errors
  end
  for _, case in ipairs { { 0.3, 0.044, 1.3 }, { 0.03, 0.044, 1.5 }, { 0.01, 0.044, 3.5 } } do
    local rate, scatter, part = unpack(case)
    local z, worst, err = deviations(rate, 1024, {})
    assert(z < 1.3 and worst < 4, ("rate %g: z scatters by %.2g, at most %.2g"):format(rate, z, worst))
    assert(err < part * scatter, ("rate %g: the error is %.2g on average"):format(rate, err))
  end
  -- The same of shares, which are taken together.
  local z, worst = deviations(0.03, 256, { target = { e_rate = { abs = 1e-9 } }, limit = 1024 })
  assert(z < 1.3 and worst < 4, ("shares: z scatters by %.2g, at most %.2g"):format(z, worst))
end

-- Averages of exp(-W/T) that few paths carry: they came out far too low, with a small scatter. A trap is dragged at
-- velocity u, and the average is 1.
do
  local function drag(u, paths)
    local r = bm.run {
      model = bm.overdamped { potential = bm.potential.formula { "(x - u*t)^2/2", u = u, name = "trap" },
                              noise = bm.noise.gaussian { T = 1 } },
      initial = { x = { mean = 0, sd = 1 } }, transient = 0, time = 2, dt = 0.02, paths = paths, check_step = false,
      observe = bm.observe.integral { W = "-trap.u*(x - trap.u*t)", exponential = "-1/gaussian.T" },
    }
    local text = table.concat(r.info.warnings or {}, "\n")
    return r:column "W_exponential"[1], r:column "W_exponential_err"[1], text, r:column "W_free_energy"[1]
  end

  local average, err, text = drag(0.5, 4096)
  assert(math.abs(average - 1) < 4 * err and err < 0.02 and text == "", ("%g +- %g: %s"):format(average, err, text))
  -- W/T has the variance 5: 10^5 times as many paths would do
  average, err, text = drag(1.5, 4096)
  assert(average == average and err ~= err, ("%g +- %g"):format(average, err))
  assert(text:find("integral: the standard error of W_exponential is nan: few paths carry", 1, true), text)
  local free
  average, err, text, free = drag(8, 4096)                   -- one path has most of the weight
  assert(average ~= average and err ~= err and free ~= free, ("%g +- %g, %g"):format(average, err, free))
  assert(text:find("integral: nan: W_exponential; one path has half of the weight", 1, true), text)
end

-- Noise whose flights are mostly to one side: no variance exists, and the mean is decided by flights that no path has
-- made.
do
  local function ratchet(beta)
    return bm.overdamped {
      potential = bm.potential.ratchet { V0 = 1 / (2 * math.pi), b = 0.25 },
      noise = bm.noise.levy { alpha = 1.2, beta = beta, scale = 0.2 },
    }
  end
  local function run(model, observe)
    return bm.run { model = model, paths = 256, dt = 0.02, time = 10, observe = observe }
  end
  local function is_nan(x) return x ~= x end

  local skewed = run(ratchet(-0.8), { "velocity", "diffusion", "peclet", "non_gaussianity" })
  assert(is_nan(skewed:column("velocity_err")[1]), "the error of a mean that flights to one side decide must be nan")
  for _, name in ipairs { "diffusion", "peclet", "non_gaussianity" } do
    assert(is_nan(skewed:column(name)[1]), name .. " does not exist, and must be nan")
  end
  local even = run(ratchet(0), "velocity")
  assert(even:column("velocity_err")[1] > 0, "flights to both sides alike have an honest error")

  local cauchy = bm.run { model = bm.overdamped { noise = bm.noise.levy { alpha = 0.9 } }, paths = 64, dt = 0.1,
    time = 1 }
  assert(is_nan(cauchy:column("velocity")[1]), "a mean that does not exist must be nan")

  -- With an index near 1 noise and force have hardly another ratio in shorter times: the layer at a kink gives no step.
  local r = bm.run { model = bm.overdamped { potential = bm.potential.formula { "2.7*abs(x)" },
                                             noise = bm.noise.levy { alpha = 1.03, scale = 1.2 } },
                     time = 1e-3, paths = 16, check_step = false, initial = { x = 0 },
                     observe = bm.observe.average { c = "cos(x)" } }
  assert(r:column "dt"[1] > 1e-10, r:column "dt"[1])
end

-- Estimates that are not linear in the paths, from many small shares: with targets, tolerances and errors of the step.
do
  local gaussian = bm.noise.gaussian
  local function check(what, r, name, exact, part)
    local value, err = r:column(name)[1], r:column(name .. "_err")[1]
    assert(math.abs(value - exact) < part * math.abs(exact) + 4 * err,
           ("%s: %s = %.5g(%.2g), exact %.5g"):format(what, name, value, err, exact))
    return err
  end

  -- A driven particle in a harmonic well: the amplitude of <x> is A/sqrt(2), there is no second harmonic.
  local function driven(A)
    return bm.overdamped { potential = bm.potential.harmonic {}, noise = gaussian { D = 0.5 },
                           drive = bm.drive.cosine { amplitude = A } }
  end
  local response = bm.observe.response { omega = "cosine.omega", harmonics = 2 }
  local function respond(what, A, options)
    options.model, options.periods, options.observe = driven(A), 20, response
    local r = bm.run(options)
    check(what, r, "amplitude", A / math.sqrt(2), 0.01)
    check(what, r, "phase", math.pi / 4, 0.01)
    local second, err = r:column "amplitude_2"[1], r:column "amplitude_2_err"[1]
    assert(second < 5 * err, ("%s: amplitude_2 = %.3g(%.2g)"):format(what, second, err))
  end
  respond("target", 0.05, { paths = 64, seed = 1, target = { amplitude = { abs = 0.002 } } })
  respond("tolerance", 0.05, { paths = 64, seed = 1, tolerance = { amplitude = { abs = 0.004 } } })
  respond("step_error", 0.5, { paths = 1024, step_error = true })
  respond("larger target", 0.5, { paths = 64, target = { amplitude = { rel = 0.01 } } })

  -- A Fano factor, and residence times of rare visits: some shares have no event at all, and no visit.
  local rare = bm.system { variables = { "x" }, equations = { x = "-x" }, noise = { x = gaussian { D = 0.5 } },
                           events = { jump = { rate = 0.004, set = { x = "x" } } } }
  local r = bm.run { model = rare, time = 5, dt = 0.05, paths = 64, check_step = false, limit = 80000,
                     observe = { "velocity", bm.observe.events { value = "x^2" } },
                     target = { velocity_x = { abs = 0.001 } } }
  check("events", r, "jump_rate", 0.004, 0)
  check("events", r, "jump_fano", 1, 0)
  check("events", r, "jump_before", 0.5, 0.02)

  local bistable = bm.overdamped { potential = bm.potential.formula { "x^4/4 - x^2/2" }, noise = gaussian { D = 0.08 } }
  local function residence(paths, target)
    return bm.run { model = bistable, time = 40, dt = 0.05, paths = paths, seed = 5, target = target,
      check_step = false,
                    initial = { x = -1 }, transient = 0,
                    observe = { "velocity", bm.observe.residence { from = -0.7, to = 0.7 } } }
  end
  local large = residence(8192)
  local small = residence(64, { velocity = { abs = 0.0008 } })
  local tau, err = large:column "residence_low"[1], large:column "residence_low_err"[1]
  local value, its = small:column "residence_low"[1], small:column "residence_low_err"[1]
  assert(math.abs(value - tau) < 4.5 * math.sqrt(err ^ 2 + its ^ 2),
         ("residence: %.4g(%.2g) in shares, %.4g(%.2g) in all"):format(value, its, tau, err))

  -- The free energy of a pulled spring (Jarzynski) is 0: ln <exp(-W)> of few paths is biased, where W scatters by 1.2.
  local pulled = bm.system { variables = { "x" }, equations = { x = "-4*(x - t)" }, noise = { x = gaussian { D = 1 } } }
  local W = bm.observe.integral { work = "-4*(x - t)", exponential = -1 }
  local free = bm.run { model = pulled, time = 1, dt = 0.01, transient = 0, paths = 4096, observe = W,
    step_error = true,
                        initial = { x = { mean = 0, sd = 0.5 } } }
  local F, F_err = free:column "work_free_energy"[1], free:column "work_free_energy_err"[1]
  assert(F_err < 0.05 and math.abs(F) < 4 * F_err, ("free energy %.3g(%.2g)"):format(F, F_err))
end

-- An error that two to four paths know must not end a run.
do
  local model = bm.overdamped { noise = bm.noise.gaussian { D = 0.5 } }
  local function run(paths)
    return bm.run { model = model, dt = 0.1, time = 10, paths = paths, observe = { "velocity", "diffusion" },
                    sweep = { "force", { 0, 1, 2, 3, 4, 5, 6, 7 } }, target = { diffusion = { rel = 0.05 } } }
  end
  for _, paths in ipairs { 2, 4, 16 } do
    local ok, message = pcall(run, paths)
    assert(not ok and tostring(message):find("paths >= 64", 1, true), tostring(message))
  end
  local r = run(64)
  local D, err, paths = r:column "diffusion", r:column "diffusion_err", r:column "paths"
  for i = 1, r.points do
    assert(paths[i] >= 1024 and err[i] > 0, "no error is looked at before 1024 paths")
    assert(math.abs(D[i] - 0.5) < 4.5 * err[i], ("D %g +- %g"):format(D[i], err[i]))
  end
end
