-- Estimates that are not linear in the paths, from many small shares: with targets, tolerances and errors of the step.
local bm = require "bmsim"
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
  return bm.run { model = bistable, time = 40, dt = 0.05, paths = paths, seed = 5, target = target, check_step = false,
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
local free = bm.run { model = pulled, time = 1, dt = 0.01, transient = 0, paths = 4096, observe = W, step_error = true,
                      initial = { x = { mean = 0, sd = 0.5 } } }
local F, F_err = free:column "work_free_energy"[1], free:column "work_free_energy_err"[1]
assert(F_err < 0.05 and math.abs(F) < 4 * F_err, ("free energy %.3g(%.2g)"):format(F, F_err))
