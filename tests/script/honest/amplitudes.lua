-- Amplitudes of white noise, of one variable.
local bm = require "bmsim"

-- The default step of noise with a weak amplitude, in a motion that asks for nothing else: noise must not cross the
-- structure of the amplitude within a step, which it averages then.
do
  -- Free on a ring the density is in proportion to b^-p, p = 2 with Ito, 0 with anti-Ito; of b = 1 + c cos(2 pi x) the
  -- mean of the cosine is -c with p = 2.
  local function check(model, interpretation, c, exact)
    local r = bm.run { model = model, paths = 4096, time = 20, transient = 0.5,
                       observe = bm.observe.average { g = "cos(2*pi*x)" } }
    local value, err = r:column "g"[1], r:column "g_err"[1]
    assert(math.abs(value - exact) < 0.02 * c + 4 * err and err < 0.02,
           ("%s, c = %g: %.4g(%.2g), exact %.4g"):format(interpretation, c, value, err, exact))
  end
  local amplitude = "1 + c*cos(2*pi*x)"
  for _, one in ipairs { { "ito", 0.1, -0.1 }, { "ito", 0.2, -0.2 }, { "anti_ito", 0.1, 0 }, { "anti_ito", 0.2, 0 } } do
    local interpretation, c, exact = unpack(one)
    check(bm.overdamped { noise = bm.noise.gaussian { D = 0.5, amplitude = bm.formula { amplitude, c = c } },
                          interpretation = interpretation }, interpretation, c, exact)
  end

  -- A system: in a trap the density is in proportion to b^-p exp(-integral of kx/(D b^2)).
  local k, D, c = 0.25, 0.5, 0.1
  local function b(x) return 1 + c * math.cos(2 * math.pi * x) end
  local h, phi, sum, all = 1e-3, 0, 0, 0
  for i = 0, 8000 do  -- even
    local x = i * h
    local p = math.exp(-phi) / b(x) ^ 2 * (i == 0 and 0.5 or 1)
    sum, all = sum + p * math.cos(2 * math.pi * x), all + p
    phi = phi + h * k * (x + h / 2) / (D * b(x + h / 2) ^ 2)
  end
  check(bm.system { variables = { "x" }, equations = { x = "-k*x" }, parameters = { k = k, c = c },
                    noise = { x = bm.noise.gaussian { D = D, amplitude = amplitude } }, interpretation = "ito" },
        "system", c, sum / all)

  -- Kinks of an amplitude, where narrow averages see what a step does to the law: in a trap the density is in
  -- proportion to b^-p exp(-integral of x/(D b^2)), p = 2, 1, 0.
  local function bounded(x) return 1 + math.max(-0.5, math.min(0.5, x)) end
  local function cone(x) return 1 + math.abs(x) end
  for _, one in ipairs { { "1 + max(-0.5, min(0.5, x))", bounded, "stratonovich", 1, 0.5 },
                         { "1 + max(-0.5, min(0.5, x))", bounded, "anti_ito", 0, 0.5 },
                         { "1 + abs(x)", cone, "ito", 2, 0 } } do
    local text, amplitude_at, interpretation, power, centre = unpack(one)
    local step, inside, whole = 1e-3, 0, 0
    for _, direction in ipairs { -1, 1 } do
      local potential = 0
      for i = 0, 12000 do
        local x = direction * (i + 0.5) * step
        local slope = math.abs(x) / (0.5 * amplitude_at(x) ^ 2)
        local p = math.exp(-potential - slope * step / 2) / amplitude_at(x) ^ power
        potential = potential + slope * step
        whole = whole + p
        if math.abs(x - centre) < 0.1 then inside = inside + p end
      end
    end
    local r = bm.run { model = bm.overdamped { potential = bm.potential.harmonic { k = 1 },
                                               noise = bm.noise.gaussian { D = 0.5, amplitude = text },
                                               interpretation = interpretation },
                       time = 40, paths = 1024, initial = { x = 0 },
                       observe = bm.observe.average { near = ("if(abs(x - %g) < 0.1, 1, 0)"):format(centre) } }
    local value, err, exact = r:column "near"[1], r:column "near_err"[1], inside / whole
    assert(math.abs(value - exact) < 0.02 * exact + 4 * err and err < 0.01 * exact,
           ("%s, %s: %.4g(%.2g), exact %.4g"):format(text, interpretation, value, err, exact))
  end

  -- And in a density of a system, beside a variable that has nothing to do with it.
  local step, density, whole = 1e-3, {}, 0
  local potential = 0
  for i = 0, 40000 do
    local x = (i + 0.5) * step
    local slope = x / (0.25 * cone(x) ^ 2)
    density[i] = math.exp(-potential - slope * step / 2) / cone(x)
    potential = potential + slope * step
    whole = whole + 2 * density[i] * step
  end
  local pair = bm.system { variables = { "x", "y" }, equations = { x = "-x", y = "-y" },
                           noise = { x = bm.noise.gaussian { name = "of_x", D = 0.25, amplitude = "1 + abs(x)" },
                                     y = bm.noise.gaussian { name = "of_y", D = 1 } } }
  local r = bm.run { model = pair,
                     initial = { x = 0, y = 0 }, time = 10, transient = 0.4, paths = 2048,
                     observe = bm.observe.density { of = "x", bins = 20, range = { -0.25, 0.25 } } }
  for _, bin in ipairs { 10, 11 } do
    local value, err = r:array "density_x".values[1][bin], r:array "density_x_err".values[1][bin]
    local exact = 0
    for i = 0, 24 do exact = exact + density[i] / 25 / whole end
    assert(math.abs(value - exact) < 0.02 * exact + 3 * err and err < 0.02 * exact,
           ("density of a system: %.4g(%.2g), exact %.4g"):format(value, err, exact))
  end
end

-- Densities beside a jump of an amplitude, after Ito: bins within the noise of a step are wrong by what is said, and
-- the step that is named cures that.
do
  -- The density in the bins on both sides of the jump, with the warnings. Exact: in proportion to 1/b^2.
  local function density(b, bins, dt)
    local r = bm.run {
      model = bm.overdamped {
        interpretation = "ito", walls = { x = { "reflect", from = -1, to = 1 } },
        noise = bm.noise.gaussian { D = 0.5, amplitude = bm.formula { "if(x > 0, b, 1)", b = b } },
      },
      time = 20, paths = 500, dt = dt, observe = bm.observe.density { range = { -1, 1 }, bins = bins } }
    local p, err = r:array("density").values[1], r:array("density_err").values[1]
    local all, k = 1 + 1 / b ^ 2, bins / 2
    return { { p[k], err[k], 1 / all }, { p[k + 1], err[k + 1], 1 / b ^ 2 / all } },
           table.concat(r.info.warnings or {}, "\n")
  end
  local said = "error of density within its noise where an amplitude jumps: about (%S+) of (%S+), .*; " ..
    "dt = (%S+) would do"

  for b, bins in pairs { [0.5] = 40, [0.7] = 25 * 2 } do
    local sides, text = density(b, bins)
    local about, of = text:match(said)
    assert(about, ("b = %g: nothing is said: %s"):format(b, text))
    about, of = tonumber(about), tonumber(of)
    local side = math.abs(sides[1][1] - of) < math.abs(sides[2][1] - of) and sides[1] or sides[2]
    local off = side[1] - side[3]
    assert(math.abs(off) > 5 * side[2], "the error is not seen in this run")
    assert(math.abs(about - off) < 3 * side[2] + 0.2 * math.abs(off), ("b = %g: %g is said, %g"):format(b, about, off))
  end

  local _, text = density(0.5, 8)
  local _, _, dt = text:match(said)
  local sides, cured = density(0.5, 8, tonumber(dt))
  assert(not cured:find "where an amplitude jumps", cured)
  for _, side in ipairs(sides) do
    assert(math.abs(side[1] - side[3]) < 4 * side[2], ("cured: %g +- %g, not %g"):format(unpack(side)))
  end

  -- Bins that are wide against the noise of a step, and a small jump: nothing to say.
  _, text = density(0.95, 4)
  assert(not text:find "where an amplitude jumps", text)

  -- All jumps of a variable, of one among several, and jumps that move with t or with another variable: what is said is
  -- the error of the bin that it is said of.
  local walls = { x = { "reflect", from = -1, to = 1 } }
  local function check(what, options, name, exact)
    options.paths, options.check_transient = options.paths or 2000, false
    options.initial = { x = "uniform" }
    local r = bm.run(options)
    local p, err = r:array(name).values[1], r:array(name .. "_err").values[1]
    if type(p[1]) == "table" then p, err = p[1], err[1] end
    local n = #p
    local warnings = table.concat(r.info.warnings or {}, "\n")
    local about, of = warnings:match("where an amplitude jumps: about (%S+) of (%S+),")
    assert(about, what .. ": nothing is said: " .. warnings)
    about, of = tonumber(about), tonumber(of)
    local nearest
    for k = 1, n do
      local x = -1 + (k - 0.5) * 2 / n
      if math.abs(p[k] - of) < 1e-3 * of and math.abs(x) < 0.7 then
        local off = p[k] - exact(x)
        local further = nearest and math.abs(off - about) >= math.abs(nearest.off - about)
        if not further then nearest = { off = off, err = err[k] } end
      end
    end
    assert(nearest, what .. ": no bin has the value " .. of)
    assert(math.abs(nearest.off) > 5 * nearest.err, what .. ": the error is not seen in this run")
    assert(math.abs(about - nearest.off) < 4 * nearest.err + 0.2 * math.abs(nearest.off),
           ("%s: %g is said, %g +- %g"):format(what, about, nearest.off, nearest.err))
  end
  local function overdamped(amplitude)
    return bm.overdamped { interpretation = "ito", walls = walls,
                           noise = bm.noise.gaussian { D = 0.5, amplitude = bm.formula { amplitude } } }
  end
  local all = 0.5 + 1 / 0.95 ^ 2 + 0.5 / 0.45 ^ 2
  for _, bins in ipairs { 80, 40 } do  -- half of the noise of a step, and all of it
    check(("second jump, %d bins"):format(bins),
          { model = overdamped "if(x > 0.5, 0.45, if(x > -0.5, 0.95, 1))", time = 20, dt = 0.002,
            observe = bm.observe.density { range = { -1, 1 }, bins = bins } },
          "density", function(x) return (x > 0.5 and 1 / 0.45 ^ 2 or x > -0.5 and 1 / 0.95 ^ 2 or 1) / all end)
  end

  local system = bm.system {
    variables = { "x", "y" }, equations = { x = "0", y = "-y" }, interpretation = "ito", walls = walls,
    noise = { x = bm.noise.gaussian { D = 0.5, amplitude = bm.formula { "if(x > 0, 0.5, 1)" } },
              y = bm.noise.gaussian { D = 0.1, name = "other" } } }
  check("system", { model = system, time = 20, dt = 0.008,
                    observe = bm.observe.density { of = "x", range = { -1, 1 }, bins = 40 } },
        "density_x", function(x) return x > 0 and 0.8 or 0.2 end)

  -- A jump that moves slowly: at a time the density is as if it stayed.
  check("moving", { model = overdamped "if(x > 0.2*sin(2*pi*t/40), 0.5, 1)", time = 11, dt = 0.005, paths = 60000,
                    observe = bm.observe.density { range = { -1, 1 }, bins = 40, times = { 10 } } },
        "density", function(x) return (x > 0.2 and 4 or 1) / (0.8 * 4 + 1.2) end)
end

-- White noise, after Ito, whose amplitude is small in a short piece between two jumps. The law there is known: the time
-- that paths spend at a place is in proportion to 1/b^2, times Boltzmann's factor of the drift. Default steps are short
-- against the time in which noise crosses the piece, however narrow it is. Longer ones see next to nothing of it.
do
  local function share(options)
    local w, inside, place = options.w, options.inside, options.place
    local r = bm.run {
      model = bm.overdamped {
        interpretation = "ito", walls = options.walls, potential = options.potential,
        noise = bm.noise.gaussian { D = options.D, amplitude = bm.formula { "if(abs(x - c) < w, b, 1)", c = place,
          w = w,
                                                                            b = inside } } },
      initial = { x = place }, time = options.time, transient = 0.3, paths = options.paths,
      observe = bm.observe.average { near = ("abs(x - %g) < %g"):format(place, w) } }
    return r:column "near"[1], r:column "near_err"[1], r:column "dt"[1], r
  end
  -- p, its error and the exact value
  local function check(what, p, err, exact)
    assert(math.abs(p - exact) < 4 * err + 0.02 * exact, ("%s: %.4g(%.2g), exact %.4g"):format(what, p, err, exact))
  end

  -- a box: w/b^2 against the rest of its length
  for w, paths in pairs { [0.1] = 256, [0.03] = 64 } do
    local p, err = share { w = w, inside = 0.1, place = 0.3137, D = 0.1, time = 60, paths = paths,
                           walls = { x = { "reflect", from = -1, to = 1 } } }
    check(("box, w = %g"):format(w), p, err, w / 0.01 / (w / 0.01 + 1 - w))
  end

  -- a trap: the integral of x/(D b^2), by the trapezoidal rule
  local function in_trap(w, inside, place, D)
    local n, all, near, integral = 400000, 0, 0, 0
    for i = 1, n do
      local x = -6 + 12 * (i - 0.5) / n
      local square = math.abs(x - place) < w and inside^2 or 1
      integral = integral + x / (D * square) * 12 / n
      local density = math.exp(-integral) / square
      all = all + density
      if square < 1 then near = near + density end
    end
    return near / all
  end
  local p, err = share { w = 0.1, inside = 0.2, place = -0.7131, D = 0.5, time = 40, paths = 256,
                         potential = bm.potential.harmonic { k = 1 } }
  check("trap", p, err, in_trap(0.1, 0.2, -0.7131, 0.5))

  -- steps follow pieces that samples miss
  local function step(w)
    local r = bm.run { model = bm.overdamped { interpretation = "ito", walls = { x = { "reflect", from = -1, to = 1 } },
                                               noise = bm.noise.gaussian { D = 0.1, amplitude = bm.formula {
                                                 "if(abs(x - 0.3137) < w, 0.1, 1)", w = w } } },
                       initial = { x = 0.3137 }, time = 1e-9 / w, paths = 64, check_transient = false,
                       observe = "velocity" }
    return r:column "dt"[1]
  end
  for _, w in ipairs { 1e-3, 1e-5 } do
    assert(step(w) < 0.01 * (2 * w)^2 / 0.2, ("w = %g: dt = %g"):format(w, step(w)))
  end
end

-- Noise with an amplitude that jumps: Ito's interpretation has a meaning there, and others are refused, since no step
-- sees the slope that they contain.
do
  local function gaussian(amplitude, more)
    local fields = { D = 0.5, amplitude = amplitude }
    for name, value in pairs(more or {}) do fields[name] = value end
    return bm.noise.gaussian(fields)
  end
  local box = { x = { "reflect", from = -1, to = 1 } }
  local function one(amplitude, interpretation, walls)
    return bm.overdamped { noise = gaussian(amplitude), interpretation = interpretation, walls = walls or box }
  end
  local function refused(model, ...)
    local ok, message = pcall(bm.run, { model = model, time = 0.1, dt = 0.01, paths = 32,
                                        observe = bm.observe.average { one = "1" } })
    assert(not ok, "it was run: " .. (...))
    for _, part in ipairs { ... } do assert(message:find(part, 1, true), message) end
  end
  -- Whether it would be run, were the run not shorter than a step: so that no kernel is compiled.
  local function runs(model)
    local ok, message = pcall(bm.run, { model = model, time = 0.1, dt = 1, paths = 32,
                                        observe = bm.observe.average { one = "1" } })
    assert(not ok and message:find("must last at least one step", 1, true), message)
  end

  local jumping = { "1 + (x > 0)", "if(x > 0, 2, 1)", "1.5 + 0.5*sign(x)", "1 + floor(x + 1)" }
  for _, b in ipairs(jumping) do
    for _, how in ipairs { "stratonovich", "anti_ito" } do
      refused(one(b, how), "amplitude must not jump where the noise moves: at x = 0 it rises from 1 to 2",
              ('interpretation = "%s" needs its slope; make it a slope, or give "ito"'):format(how))
    end
  end
  -- The density is in proportion to 1/b^2 by Ito's, with the default step.
  local function share(model, exact)
    local r = bm.run { model = model, time = 10, paths = 2048, initial = { x = { from = -1, to = 1 } }, transient = 0.4,
                       observe = bm.observe.average { right = "x > 0" } }
    local value, err = r:column "right"[1], r:column "right_err"[1]
    assert(math.abs(value - exact) < 0.02 * exact + 4 * err and err < 0.02 * exact,
           ("%g(%g), exact %g"):format(value, err, exact))
  end
  share(one("1 + (x > 0)", "ito"), 1 / 5)
  -- Other places: within a narrow window, far out, at an edge of a period that the formula makes, between walls that
  -- are swept, at a velocity, on a curve.
  refused(one("1 + 0.5*(abs(x - 0.3) < 1e-4)"), "amplitude must not jump", "at x = 0.2999")
  refused(one("1 + (x > 37.5)", "stratonovich", {}), "at x = 37.5")
  refused(bm.overdamped { potential = bm.potential.sine {}, noise = gaussian "1 + mod(x, 1)" }, "falls from 2 to 1")
  refused(bm.underdamped { noise = gaussian "1 + (v > 0.5)" }, "at v = 0.5 it rises from 1 to 2")
  local function two(fields)
    fields.variables = { "x", "y" }
    return bm.system(fields)
  end
  refused(two { noise = { x = gaussian "if(x > y, 1, 2)" } }, "amplitude must not jump")
  -- however small the region is
  refused(one("1 + 0.5*(abs(x^2 - 0.1) < 1e-5)", "anti_ito"), "amplitude must not jump", "from 1 to 1.5")
  refused(one("2 + x + 0.5*(abs(x^2 - 0.1) < 1e-5)", "anti_ito"), "at x = -0.316244")
  refused(one("1 + (exp(x) > 1.5)*(exp(x) < 1.50001)", "anti_ito"), "at x = 0.405465")
  for _, window in ipairs { "((x - 0.3)^2 + (y - 0.2)^2 < 0.01)", "((x - 0.3)^2 + (y - 0.2)^2 < 1e-6)",
                            "(abs(x*y - 0.3) < 0.001)", "(abs(x - 0.3) < 0.001)*(abs(y - 0.2) < 0.001)",
                            "(x > 0.3)*(x < 0.3001)*(y > 0.7)*(y < 0.701)" } do
    refused(two { noise = { x = gaussian("1 + " .. window), y = bm.noise.gaussian { name = "of_y" } } },
            "amplitude must not jump", "from 1 to 2")
  end
  refused(two { noise = { x = gaussian "if(s > 0.5, 1, 2)" }, define = { s = "x*x" } }, "from 1 to 2")
  refused(two { noise = { gaussian { x = "1", y = "1 + (x > 0)" } } }, "at x = 0")
  -- Noise that is given by T where gamma is a formula has one interpretation only.
  local function friction(gamma, interpretation)
    return bm.system { variables = { "x" }, inertia = { x = { gamma = gamma } }, interpretation = interpretation,
                       noise = { x = bm.noise.gaussian { T = 0.4 } } }
  end
  refused(friction("1 + (v_x > 1)", "ito"), "its amplitude, sqrt(gamma), must not jump", "at v_x = 1")

  -- What does not jump, or not where the noise moves.
  local swept = one(bm.formula { "1 + c*(x > 0)", c = 0 })
  runs(swept)
  local ok, message = pcall(bm.run, { model = swept, time = 0.1, dt = 0.01, paths = 32,
                                      sweep = { "gaussian.amplitude.c", { 0, 1 } },
                                      observe = bm.observe.average { one = "1" } })
  assert(not ok and message:find("must not jump", 1, true), message)
  runs(one "if(x > 0, 1 + x, 1)")
  runs(one "1.5 + 0.5*max(-1, min(1, x/0.05))")
  runs(one "1 + abs(mod(x, 1) - 0.5)")
  runs(one("1 + (x > 1)"))
  runs(bm.underdamped { noise = gaussian "1 + (x > 0)" })
  runs(friction "1 + (x > 0)")
  runs(two { noise = { x = gaussian "1 + (y > 0)", y = bm.noise.gaussian { name = "of_y" } } })
  runs(two { noise = { x = gaussian "1 + (sin(5*t) > 0)" } })
  runs(two { noise = { gaussian { x = "1", y = "1 + c*0*(x > 0)" } }, parameters = { c = 1 } })
  -- Kicks and coloured noise mean one thing, whatever the amplitude.
  runs(bm.overdamped { noise = bm.noise.poisson { lambda = 3, D = 0.2, amplitude = "1 + (x > 0)" } })
  runs(bm.overdamped { noise = bm.noise.ornstein_uhlenbeck { D = 0.2, tau = 0.5, amplitude = "1 + (x > 0)" } })

  -- Heun's limit is not Ito's at a jump: euler takes its place.
  local beside = bm.overdamped {
    noise = { gaussian("1 + (x > 0)", { name = "jumping" }), bm.noise.gaussian { name = "bath", D = 0.3 } },
    interpretation = "ito", walls = box,
  }
  local r = bm.run { model = beside, time = 10, dt = 5e-4, paths = 1024, initial = { x = { from = -1, to = 1 } },
                     transient = 0.4, observe = bm.observe.average { right = "x > 0" } }
  local exact = 1 / 2.3 / (1 / 2.3 + 1 / 0.8)
  assert(math.abs(r:column "right"[1] - exact) < 0.03 * exact + 4 * r:column "right_err"[1], r:column "right"[1])
  ok, message = pcall(bm.run, { model = beside, time = 0.1, dt = 0.01, paths = 32, method = "heun",
                                observe = bm.observe.average { one = "1" } })
  local why = "method heun: the amplitude of noise.gaussian 'jumping' jumps at x = 0"
  assert(not ok and message:find(why, 1, true), message)
end

-- At a jump of the amplitude of white noise the error of a step falls only with the square root of the step. What
-- extrapolates or bounds it knows that: step_error, tolerance, and the check of a step that was given.
do
  -- In a trap the density is that of two halves of Gaussian laws of variance D b^2, with the weights 1/b.
  local exact = (1 / 0.5) / (1 / 0.5 + 1)
  local model = bm.overdamped { interpretation = "ito", potential = bm.potential.harmonic { k = 1 },
                                noise = bm.noise.gaussian { D = 1, amplitude = "if(x > 0, 0.5, 1)" } }
  local function run(options)
    local fields = { model = model, initial = { x = 0 }, time = 20, transient = 0.3, paths = 4096,
                     observe = bm.observe.average { right = "x > 0" } }
    for key, value in pairs(options) do fields[key] = value end
    return bm.run(fields)
  end
  local function of(r, name) return r:column(name)[1], r:column(name .. "_err")[1] end
  local function check(what, value, err, its_exact, allowed)
    assert(math.abs(value - its_exact) < 4 * err + (allowed or 0) and err < 0.01,
           ("%s: %.4g(%.2g), exact %.4g"):format(what, value, err, its_exact))
  end

  local r = run { dt = 0.005, step_error = true }
  check("extrapolated", r:column "right_extrapolated"[1], r:column "right_extrapolated_err"[1], exact)
  local value, err = of(r, "right")
  check("step error", r:column "right_step"[1], math.sqrt(err^2 + r:column "right_step_err"[1]^2), value - exact)

  r = run { dt = 0.05, tolerance = { right = { abs = 0.004 } } }
  value, err = of(r, "right")
  check("tolerance", value, err, exact, 0.004)

  -- What the check of the step says of a longer step, and the step that it names.
  r = run { dt = 0.02 }
  value, err = of(r, "right")
  local text = table.concat(r.info.warnings, "; ")
  local said, doubt = text:match "error of right: (%S+) %+%- (%S+) of"
  assert(said, "no warning of " .. value .. ": " .. text)
  check("said", tonumber(said), math.sqrt(err^2 + tonumber(doubt)^2), value - exact)
  r = run { dt = tonumber(text:match "dt = (%S+) would"), paths = 1024 }
  value, err = of(r, "right")
  check("cured", value, err, exact, err)
end
