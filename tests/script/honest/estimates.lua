-- Estimates, their errors and labels.
local bm = require "bmsim"

-- The law of a displacement over one step: five-point increments have its moments, and not its shape.
do
  local D, q = 0.7, 0.5
  local r = bm.run {
    model = bm.overdamped { noise = bm.noise.gaussian { D = D } }, paths = 16384, dt = 0.02, time = 40,
    observe = bm.observe.fractional_moment { q = q },
  }
  assert(r.info.increments == "gaussian", "the law of a step needs gaussian increments, got " .. r.info.increments)
  local t, m, e = r:array("fractional_moment_time").values[1], r:array("fractional_moment").values[1],
                  r:array("fractional_moment_err").values[1]
  local exact = (4 * D * t[1]) ^ (q / 2) * 1.2254167024651776 / math.sqrt(math.pi)  -- Gamma(3/4)
  assert(math.abs(m[1] - exact) < 4 * e[1], ("%g +- %g, exact %g"):format(m[1], e[1], exact))
  local nu, err = r:column("growth_exponent")[1], r:column("growth_exponent_err")[1]
  assert(math.abs(nu - 0.5) < 4 * err, ("growth exponent %g +- %g"):format(nu, err))
end

-- A phase lag of nearly pi: single ensembles scatter over both ends of (-pi, pi], but their means and differences do
-- not.
do
  local A, omega, gamma = 0.5, 20, 0.1
  local exact = math.atan2(gamma * omega, 1 - omega ^ 2)
  local function respond(options)
    options.model = bm.underdamped { gamma = gamma, potential = bm.potential.harmonic {},
                                     noise = bm.noise.gaussian { T = 0.2 },
                                     drive = bm.drive.cosine { amplitude = A, omega = omega } }
    options.observe, options.time = bm.observe.response { omega = "cosine.omega" }, 100
    return bm.run(options)
  end
  local function check(r, name, err)
    local value, error_of_it = r:column(name)[1], r:column(err)[1]
    local text = ("%s = %g +- %g, not %g"):format(name, value, error_of_it, exact)
    assert(value > -math.pi and value <= math.pi, text)
    local off = math.abs(value - exact)
    assert(math.min(off, 2 * math.pi - off) < 4 * error_of_it and error_of_it < 0.03, text)
  end

  local batches = respond { paths = 64, limit = 2048, target = { phase = { abs = 0.001 } } }
  check(batches, "phase", "phase_err")
  assert(not table.concat(batches.info.warnings or {}, "\n"):find "error of phase", "the check of the step")

  for _, options in ipairs { { paths = 1024, step_error = true },
                             { paths = 512, limit = 4096, tolerance = { phase = { abs = 0.02 } } } } do
    local levels = respond(options)
    check(levels, "phase", "phase_err")
    check(levels, "phase_extrapolated", "phase_extrapolated_err")
    assert(math.abs(levels:column "phase_step"[1]) < 0.1, levels:column "phase_step"[1])
  end

  -- a theory that is in another turn, or at the other end
  batches:compare(function() return exact - 2 * math.pi end, { of = "phase" })
  assert(math.abs(batches:column "z"[1]) < 4, batches:column "z"[1])
end

-- A response that is not there has no phase, and no amplitude but noise; an offset that is large adds nothing to one,
-- though the window was no whole number of periods.
do
  local function respond(A)
    local r = bm.run {
      model = bm.overdamped { potential = bm.potential.formula { "k/2*(x - 100)^2", k = 1, name = "trap" },
                              noise = bm.noise.gaussian { D = 0.1 },
                              drive = bm.drive.cosine { amplitude = A, omega = 1 } },
      initial = { x = 100 }, time = 47, dt = 0.01, paths = 4096, precision = "double",
      observe = bm.observe.response { omega = "cosine.omega" },
    }
    return r:column "amplitude"[1], r:column "amplitude_err"[1], r:column "phase"[1], r:column "phase_err"[1],
           table.concat(r.info.warnings or {}, "\n")
  end

  local amplitude, err, phase, phase_err, text = respond(0)
  assert(amplitude < 4 * err, ("%g +- %g"):format(amplitude, err))
  assert(phase ~= phase and phase_err ~= phase_err, ("%g +- %g"):format(phase, phase_err))
  assert(text:find("response: phase is nan where the amplitude is less than 3 standard errors", 1, true), text)
  amplitude, err, phase, phase_err = respond(0.1)
  assert(math.abs(amplitude - 0.1 / math.sqrt(2)) < 4 * err and err < 0.002, ("%g +- %g"):format(amplitude, err))
  assert(math.abs(phase - math.pi / 4) < 4 * phase_err, ("%g +- %g"):format(phase, phase_err))
end

-- Coordinates say the times that were recorded, r.info.paths what was run, and no table says -0.
do
  local free = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
  local r = bm.run { model = free, dt = 0.1, time = 2, paths = 32,
    observe = bm.observe.moments { times = { 0.26, 1.01 } } }
  local time = r:array("x_cumulant_1").dims[1]
  assert(time.name == "time", time.name)
  assert(math.abs(time.values[1] - 0.3) < 1e-12 and math.abs(time.values[2] - 1) < 1e-12, "times to the next step")

  local halved = bm.run { model = free, dt = 0.1, time = 2, paths = 33, step_error = true }
  assert(tostring(halved.info.paths) == "48", "paths that were run: " .. tostring(halved.info.paths))

  local drag = bm.run {
    model = bm.underdamped { noise = { bm.noise.gaussian { T = 1 }, bm.noise.poisson { lambda = 5, zeta = 0.5 } } },
    dt = 0.05, time = 20, paths = 64, observe = "efficiency",
  }
  drag:add("minus", function() return -0.0 end)
  for _, name in ipairs { "efficiency_energetic", "minus" } do
    local zero = drag:column(name)[1]
    assert(zero == 0 and 1 / zero > 0, name .. " is -0")
  end

  -- A script may call an average as an error of another one would be called: its label is its own.
  local own = bm.run { model = free, dt = 0.1, time = 2, paths = 32, check_step = false,
                       observe = bm.observe.average { q = "x", q_step = "x^2", q_extrapolated = "x^3" } }
  own:write "own.nc"
  local shown = io.popen("ncdump -h own.nc 2> /dev/null"):read "*a"
  if shown ~= "" then
    assert(shown:find('q_step:long_name = "average of x^2"', 1, true), shown)
    assert(shown:find('q:ancillary_variables = "q_err" ;', 1, true), shown)
  end

  -- The header names the interpretation that noise has. Of heat with friction that is a formula it is one.
  for _, case in ipairs { { "T", "1 + v_x^2", nil, "anti_ito" }, { "D", "1", "2 + tanh(x)", "ito" } } do
    local of, gamma, amplitude, name = unpack(case, 1, 4)
    local model = bm.system { variables = { "x" }, inertia = { x = { gamma = gamma } }, interpretation = "ito",
                              noise = { x = bm.noise.gaussian { [of] = 1, amplitude = amplitude } } }
    local file = of .. ".csv"
    bm.run { model = model, dt = 0.1, time = 2, paths = 32, check_step = false }:write(file)
    local header = io.open(file):read "*a"
    assert(header:match "interpretation: (%S+)" == name, header)
  end
end

-- Squared displacements averaged along each path: at long lags few paths do not know the errors of their scatter and of
-- EB, which are nan with a reason; at short ones they do.
do
  local function run(paths)
    return bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, paths = paths, time = 4, dt = 0.125,
                    transient = 0, check_step = false,
                    observe = bm.observe.time_averaged_msd { count = 33, lags = { 0.125, 2 } } }
  end
  local few, many = run(64), run(2048)
  local err = few:array("ergodicity_breaking_err").values[1]
  assert(err[1] > 0 and err[2] ~= err[2], ("%g %g"):format(err[1], err[2]))
  local said = table.concat(few.info.warnings, "\n")
  assert(said:find("errors of its scatter and of EB are nan at long lags with 64 paths.* 2048 would do"), said)
  local EB, e = many:array("ergodicity_breaking").values[1], many:array("ergodicity_breaking_err").values[1]
  assert(#many.info.warnings == 0 and math.abs(EB[2] - 13362 / 13872) < 4 * e[2], ("%g(%g)"):format(EB[2], e[2]))
end
