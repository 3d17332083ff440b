local bm = require "bmsim"

-- Paths that remember: diffusion that has no limit yet, averages that have not seen the slowest motion; and ordinary
-- models, which get no warning.
do
  local gaussian = bm.noise.gaussian
  local function warnings(options)
    options.check_step = false
    return table.concat(bm.run(options).info.warnings or {}, "\n")
  end
  local function says(what, text, options)
    local all = warnings(options)
    assert(all:find(text, 1, true), ("%s: '%s' is not among the warnings: %s"):format(what, text, all))
  end
  local function quiet(what, options)
    local all = warnings(options)
    assert(all == "", ("%s: %s"):format(what, all))
  end

  -- Ballistic while states are kept: running or locked; two speeds that noise rarely changes; heavy free particles.
  local running = bm.underdamped { gamma = 0.1, potential = bm.potential.sine { V0 = 1 / (2 * math.pi) },
                                   noise = gaussian { T = 0.02 }, force = 0.3 }
  says("running or locked", "Var(dx)/(2 time) still grows", { model = running, time = 400, paths = 256, transient = 0.5,
       observe = "diffusion" })
  local function two_speeds(tau)
    return bm.overdamped { noise = { gaussian { D = 0.01 }, bm.noise.dichotomous { Fa = 1, Fb = 1, tau = tau } } }
  end
  says("two speeds", "Var(dx)/(2 time) still grows", { model = two_speeds(300), time = 30, dt = 0.02, paths = 512,
       observe = { "velocity", "diffusion" } })
  says("heavy", "Var(dx)/(2 time)", { model = bm.underdamped { gamma = 0.01, noise = gaussian { T = 1 } }, time = 10,
       dt = 0.02, paths = 512, observe = "peclet" })
  local speeds = bm.system { variables = { "x", "v" }, equations = { x = "v", v = "(v - v^3)/2" },
                             noise = { v = gaussian { D = 0.03 } } }
  says("a cubic friction", "Var(dx)/(2 time) still grows", { model = speeds, time = 60, dt = 0.05, paths = 256,
       observe = bm.observe.diffusion { of = "x" } })

  -- Averages: shorter than the relaxation, and between wells that are not left.
  local soft = bm.overdamped { potential = bm.potential.harmonic { k = 0.01 }, noise = gaussian { D = 1 } }
  local x2 = bm.observe.average { x2 = "x^2" }
  for _, time in ipairs { 20, 60 } do
    says("soft " .. time, "the start is still in the results: x2 = ", { model = soft, time = time, dt = 0.1,
         paths = 1024, transient = "auto", observe = x2 })
  end
  local wells = bm.overdamped { potential = bm.potential.formula { "x^4/4 - x^2/2" }, noise = gaussian { D = 0.03 } }
  says("wells", "paths remember their start throughout the run: side", { model = wells, time = 50, dt = 0.05,
    paths = 256,
       initial = { x = { mean = 0, sd = 1 } }, transient = 0.5, observe = bm.observe.average { side = "x" } })
  says("falling", "the start is still in the results: x = ", { model = soft, time = 60, dt = 0.1, paths = 256,
       initial = { x = 30 }, observe = bm.observe.average { x = "x" } })

  -- What is named is followed once, and ends the warning and the error: narrow wells that paths find and leave rarely,
  -- of which the short run has seen a part at most, and wells on both sides of a barrier. V says how long that takes.
  local function cured(what, exact, options)
    options.check_step = false
    local text = warnings(options)
    local time, transient = text:match "a time of about (%S+) with transient = (%S+) would do"
    assert(time, what .. ": " .. text)
    options.time, options.transient = tonumber(time), tonumber(transient)
    local r = bm.run(options)
    local value, err = r:column "f"[1], r:column "f_err"[1]
    assert(#(r.info.warnings or {}) == 0, what .. ": " .. table.concat(r.info.warnings or {}, "\n"))
    assert(math.abs(value - exact) < 4 * err, ("%s: %g +- %g, not %g"):format(what, value, err, exact))
  end
  local function average(formula) return bm.observe.average { f = formula } end
  local function hole(depth, width)
    return bm.potential.formula { "x^2/2 - A*exp(-((x - 0.8123)/w)^2)", A = depth, w = width }
  end
  cured("a narrow well with inertia", 0.92290, { model = bm.underdamped { potential = hole(4, 0.02),
        noise = gaussian { T = 0.5 } }, time = 20, paths = 128, observe = average "if(abs(x-0.8123)<0.06,1,0)" })
  cured("a deep well", 0.99909, { model = bm.overdamped { potential = hole(5, 0.2), noise = gaussian { D = 0.5 } },
        time = 20, paths = 256, observe = average "if(abs(x-0.8123)<0.6,1,0)" })
  cured("a barrier", -0.50972, { model = bm.overdamped { potential = bm.potential.formula {
        "x^4/4 - x^2/2 + 0.03*x" }, noise = gaussian { D = 0.05 } }, time = 20, paths = 128,
        initial = { x = { mean = 0, sd = 1 } }, observe = average "x" })
  -- Paths that hardly leave the well in which all begin: nothing moves and nothing is remembered, and the mean is that
  -- of one well. Not where both wells give the same.
  local sides = bm.overdamped { potential = bm.potential.formula { "x^4/4 - x^2/2 + 0.03*x" },
                                noise = gaussian { D = 0.05 } }
  says("one well", "paths have not been everywhere: f = ", { model = sides, time = 20, paths = 128, initial = { x = 1 },
       observe = average "x" })
  cured("one well", -0.50972, { model = sides, time = 20, paths = 128, initial = { x = 1 }, observe = average "x" })
  quiet("either well", { model = bm.overdamped { potential = bm.potential.formula { "x^4/4 - x^2/2" },
        noise = gaussian { D = 0.03 } }, time = 20, paths = 128, initial = { x = 1 }, observe = average "x^2" })
  -- Two wells in a period, and densities: of the period, and of a range.
  local pair = bm.overdamped { potential = bm.potential.formula { "0.3*cos(4*pi*x) + 0.02*sin(2*pi*x)", L = 1 },
                               noise = gaussian { D = 0.06 } }
  cured("two wells in a period", -0.30498, { model = pair, time = 5, paths = 256, initial = { x = 0.25 },
        observe = average "sin(2*pi*x)" })
  quiet("the same in both wells", { model = pair, time = 5, paths = 256, initial = { x = 0.25 },
        observe = average "cos(4*pi*x)" })
  says("density of a period", "paths have not been everywhere: P(x/L < ", { model = pair, time = 5, paths = 256,
       initial = { x = 0.25 }, observe = bm.observe.density { bins = 20 } })
  says("density of a range", "paths have not been everywhere: P(x < ", { model = sides, time = 20, paths = 128,
       initial = { x = 1 }, observe = bm.observe.density { range = { -2, 2 }, bins = 20 } })
  quiet("density, long", { model = bm.overdamped { potential = bm.potential.formula { "x^4/4 - x^2/2" },
        noise = gaussian { D = 0.3 } }, time = 60, paths = 128, initial = { x = 1 },
        observe = bm.observe.density { range = { -3, 3 }, bins = 20 } })
  -- Without a V that says it, what is seen of paths that are still on their way is the least that it may be.
  says("a narrow well of a system", "or longer, and a time of about", { model = bm.system { variables = { "x", "v" },
       equations = { x = "v", v = "-v - x - 3*2*(x - 0.8123)/0.04*exp(-((x - 0.8123)/0.2)^2)" },
       noise = { v = gaussian { D = 0.5 } } }, time = 20, dt = 0.01, paths = 256,
       observe = average "if(abs(x-0.8123)<0.6,1,0)" })

  -- Ordinary: bound, free, drifting, driven, coloured, hopping for a long time.
  local trap = bm.overdamped { potential = bm.potential.harmonic {}, noise = gaussian { D = 1 } }
  quiet("trap", { model = trap, time = 50, dt = 0.05, paths = 1024, observe = { "velocity", "diffusion", x2 } })
  quiet("free", { model = bm.overdamped { noise = gaussian { D = 1 }, force = 1 }, time = 20, dt = 0.05, paths = 1024,
        observe = { "velocity", "diffusion" } })
  quiet("free, heavy", { model = bm.underdamped { noise = gaussian { T = 1 } }, time = 100, dt = 0.05, paths = 1024,
        observe = { "diffusion", "velocity_squared" } })
  local washboard = bm.overdamped { potential = bm.potential.sine {}, noise = gaussian { D = 0.3 }, force = 3 }
  quiet("washboard", { model = washboard,
        time = 40, paths = 512, observe = { "velocity", "diffusion", bm.observe.average { c = "cos(2*pi*x)" } } })
  quiet("two speeds, long", { model = two_speeds(0.2), time = 40, dt = 0.02, paths = 512,
        observe = { "velocity", "diffusion" } })
  quiet("driven", { model = bm.overdamped { potential = bm.potential.harmonic {}, noise = gaussian { D = 0.2 },
        drive = bm.drive.cosine { amplitude = 1 } }, periods = 20, paths = 512, observe = { "velocity", x2 } })

  -- In a sweep of many points some path hops far in both halves by chance, which is no memory of all paths.
  local forces = {}
  for i = 1, 2000 do forces[i] = 1 + i * 1e-9 end
  quiet("rare hops", { model = bm.underdamped { potential = bm.potential.sine {}, noise = gaussian { T = 0.3 } },
        time = 40, dt = 0.02, paths = 64, sweep = { { "force", forces } }, observe = { "velocity", "diffusion" } })

  -- A step's noise beside a velocity of 10^6 in single precision: not the start, and double precision ends it. That
  -- sees what is left of the start, exp(-10) of 10^6, and not exp(-32).
  local function fast(precision, time, transient)
    return { model = bm.underdamped { force = 1e6, noise = gaussian { D = 0.01 } }, time = time, dt = 0.001, paths = 64,
             transient = transient, precision = precision, initial = { v = 0 }, observe = { "velocity", "diffusion" } }
  end
  says("fast", "rounding takes the noise away", fast("single", 20, 0.5))
  says("fast", "the start is still in the results", fast("double", 20, 0.5))
  quiet("fast", fast("double", 40, 0.8))
end

-- Rare kicks: the start lasts longer than the default transient, and half of the window shows it.
do
  local motor = bm.overdamped { potential = bm.potential.piecewise_linear {},
    noise = bm.noise.poisson { D = 0.1, a = 2.5 } }
  local r = bm.run { model = motor, periods = 300, paths = 2048 }
  local exact = bm.theory.poisson_velocity { model = motor }
  local off, err = r:column "velocity"[1] - exact, r:column "velocity_err"[1]
  assert(off > 5 * err, "the start is not seen in this run")
  local text = table.concat(r.info.warnings or {}, "\n")
  assert(text:find("the start is still in the results: velocity = ", 1, true), text)
  assert(text:find("give a longer transient", 1, true), text)
  assert(r.info.transient_check:find("halves of the window differ most", 1, true), r.info.transient_check)

  local quiet = bm.run { model = motor, periods = 300, paths = 2048, check_transient = false }
  assert(quiet:column "velocity"[1] == r:column "velocity"[1] and quiet:column "velocity_err"[1] == err, "other bits")
  assert(#(quiet.info.warnings or {}) == 0, table.concat(quiet.info.warnings or {}, "\n"))

  -- A start beside a velocity that is large against its scatter: single precision would not tell it from rounding, but
  -- double precision, which such a run takes, does.
  for _, force in ipairs { 1e3, 1e5, 1e7 } do
    local model = bm.underdamped { force = force, noise = bm.noise.gaussian { T = 1 } }
    local function warned(time, transient)
      local pushed = bm.run { model = model, time = time, transient = transient, paths = 256, check_step = false }
      return table.concat(pushed.info.warnings, "; "):find("the start is still in the results", 1, true)
    end
    assert(warned(20, 0.1), ("no warning at the force %g"):format(force))
    assert(not warned(80, 0.6), ("a warning at the force %g"):format(force))
  end
end

-- Nothing flows, but paths that begin at one place of a deep well have not yet spread within it.
do
  local deep = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.2 } }
  local function run(time, transient)
    return bm.run { model = deep, paths = 4096, time = time, transient = transient, initial = { x = -0.25 },
                    observe = { "velocity", "diffusion" } }
  end
  local short = run(1, 0)
  local _, exact = bm.theory.stratonovich { model = deep }
  assert(short:column "diffusion"[1] > 5 * exact, "the start is not seen in this run")
  local text = table.concat(short.info.warnings or {}, "\n")
  assert(text:find("the start is still in the results: Var(dx)/(2 time) = ", 1, true), text)
  assert(short.info.transient_check:find("Var(dx)/(2 time): halves of the window differ most", 1, true),
         short.info.transient_check)
  assert(#(run(100, 0.5).info.warnings or {}) == 0, "a warning where the start is forgotten")
  -- The same of a variable of a system.
  local pair = bm.system { variables = { "x", "y" }, equations = { x = "cos(2*pi*x)", y = "-y" },
    noise = { x = bm.noise.gaussian { name = "one", D = 0.02 }, y = bm.noise.gaussian { name = "other", D = 0.2 } } }
  local info = bm.run { model = pair, paths = 4096, time = 0.4, transient = 0, initial = { x = 0.25, y = 0 },
                        observe = bm.observe.diffusion { of = "x" } }.info
  assert(info.transient_check:find("Var(dx)/(2 time): halves of the window differ most", 1, true), info.transient_check)
  assert(table.concat(info.warnings or {}, "\n"):find("the start is still in the results", 1, true), "no warning")
end
