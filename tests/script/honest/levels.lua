-- Levels, passages and exits.
local bm = require "bmsim"

-- The default step where levels, walls and early times ask for a short one: starts near a level, formulas, Levy noise,
-- inertia, a force that presses to a wall, turning points, the first of the times that were asked for, amplitudes.
do
  local gaussian, trap = bm.noise.gaussian, bm.potential.harmonic {}
  local function near(what, value, err, exact, part)
    assert(math.abs(value - exact) < part * exact + 4 * err,
           ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
  end
  local function column(what, r, name, exact, part)
    near(what, r:column(name)[1], r:column(name .. "_err")[1], exact, part)
  end
  local function run(model, fields)
    fields.model = model
    return bm.run(fields)
  end
  local free = bm.overdamped { noise = gaussian { D = 0.5 } }
  local function passage(what, model, exact, part, initial, observe, name)
    local r = run(model, { initial = initial, time = 6, transient = 0, paths = 40000,
                           observe = bm.observe.first_passage(observe) })
    column("passage " .. what, r, "mean_first_passage_time" .. (name or ""), exact, part)
  end

  -- x (W - x)/2D, on the average over the starts
  for _, x in ipairs { 0.001, 0.02 } do
    passage("from " .. x, free, x * (1 - x), 0.01, { x = x }, { to = { 0, 1 } })
  end
  passage("from a layer", free, 0.03 / 2 - 0.03 ^ 2 / 3, 0.01, { x = { from = 0, to = 0.03 } }, { to = { 0, 1 } })

  -- (R^2 - r^2)/4D out of a circle; of y - x, which diffuses with 2 D, out of an interval
  local plane = bm.system { variables = { "x", "y" }, equations = { x = "0", y = "0" },
                            noise = { x = gaussian { name = "of_x", D = 0.5 }, y = gaussian { name = "of_y",
                              D = 0.5 } } }
  passage("of a formula", plane, (1 - 0.81) / 2, 0.02, { x = 0.9, y = 0 },
          { of = "sqrt(x^2 + y^2)", name = "r", to = 1 }, "_r")
  passage("of a difference", plane, 0.04 / 2, 0.01, { x = 0, y = 0 }, { of = "y - x", name = "d", to = { -0.2, 0.2 } },
          "_d")

  -- (W/2)^alpha/(scale^alpha Gamma(1 + alpha)): R. K. Getoor, Trans. Amer. Math. Soc. 101, 75 (1961)
  local levy = bm.overdamped { noise = bm.noise.levy { alpha = 1.5, scale = 1 },
                               walls = { x = { "absorb", from = -1, to = 1 } } }
  for _, time in ipairs { 10, 50 } do
    column("Levy exit", run(levy, { initial = { x = 0 }, time = time, paths = 20000 }), "mean_exit_time", 0.75225, 0.02)
  end

  -- S. O. Rice: (1/2 pi) exp(-x^2/2 T) crossings of x per time, in a trap with k = m = 1
  local counts = bm.underdamped { gamma = 3, potential = trap, noise = gaussian { T = 0.5 },
                                  events = { up = { when = "x - 1", direction = "up", set = { v = "v" } } } }
  column("crossings", run(counts, { time = 50, paths = 6000, transient = 0.2, observe = "events" }), "up_rate",
         math.exp(-1) / (2 * math.pi), 0.012)

  -- Above a wall: <x> = D/f; with inertia <v^2> = T/m.
  for _, f in ipairs { 3, 10, 100 } do
    local r = run(bm.overdamped { force = -f, noise = gaussian { D = 0.5 }, walls = { x = { "reflect", from = 0 } } },
                  { initial = { x = 0.5 / f }, time = 200 / f ^ 2, paths = 10000, transient = 0.3,
                    observe = bm.observe.average { x = "x" } })
    column("height", r, "x", 0.5 / f, 0.006)
  end
  local r = run(bm.underdamped { force = -20, noise = gaussian { T = 0.5 }, walls = { x = { "reflect", from = 0 } } },
                { initial = { x = 0.02 }, time = 30, paths = 1000, transient = 0.3, observe = "velocity_squared" })
  column("bounces", r, "velocity_squared", 0.5, 0.012)

  -- 2 D/threshold^2
  r = run(free, { time = 100, paths = 1000, observe = bm.observe.turning_points { threshold = 1 } })
  column("turning points", r, "turning_rate", 1, 0.01)

  -- Soon after a start at rest: T (2 t - 3 + 4 exp(-t) - exp(-2 t)), with m = gamma = 1.
  r = run(bm.underdamped { noise = gaussian { T = 0.2 } },
          { initial = { x = 0, v = { mean = 0, sd = 0 } }, time = 20, transient = 0, paths = 40000,
            observe = bm.observe.moments { times = { 0.2, 0.4 } } })
  for i, t in ipairs { 0.2, 0.4 } do
    near("spread", r:array("x_cumulant_2").values[1][i], r:array("x_cumulant_2_err").values[1][i],
         0.2 * (2 * t - 3 + 4 * math.exp(-t) - math.exp(-2 * t)), 0.01)
  end

  -- Noise with an amplitude through levels: a trap with D = 0.3 (1 + sin(3x)/2)^2, integrals of the mean time to go
  -- from one level to the other by quadrature.
  for interpretation, exact in pairs { ito = { 3.57584, 2.22764 }, stratonovich = { 2.22237, 3.00290 } } do
    local model = bm.overdamped { potential = trap, interpretation = interpretation,
                                  noise = gaussian { D = 0.3, amplitude = bm.formula { "1 + sin(3*x)/2" } } }
    r = run(model, { time = 200, transient = 0.05, paths = 8000, initial = { x = 0 },
                     observe = bm.observe.residence { from = -0.4, to = 0.6 } })
    column("residence below", r, "residence_low", exact[1], 0.005)
    column("residence above", r, "residence_high", exact[2], 0.005)
    column("fraction below", r, "residence_low_fraction", exact[1] / (exact[1] + exact[2]), 0.003)
    r = run(model, { time = 60, paths = 60000, observe = bm.observe.first_passage { from = -0.4, to = 0.6 } })
    column("passage", r, "mean_first_passage_time", exact[1], 0.004)
  end

  -- Noise near a level, with an amplitude, beside a potential of any period: the default step is that of period 1.
  local function between_levels(L)
    local uneven = bm.overdamped { potential = bm.potential.sine { L = L, V0 = 1e-4 }, interpretation = "ito",
                                   noise = bm.noise.gaussian { D = 0.5, amplitude = "0.1 + 3*exp(-(x-5)^2/4)" } }
    return bm.run { model = uneven, time = 2, paths = 4000, initial = { x = 4.9 },
                    observe = bm.observe.first_passage { to = { 4.7, 5 }, bins = 0 } }
  end
  local of_one, of_ten = between_levels(1), between_levels(10)
  assert(of_ten:column "dt"[1] < 2 * of_one:column "dt"[1], ("period 10: dt = %g"):format(of_ten:column "dt"[1]))
  assert(#of_ten.info.warnings == 0, table.concat(of_ten.info.warnings, "; "))
end

-- Densities of passage and exit times in bins of a few steps and less, at the default step, where all paths begin at
-- one place. Exact: an Ornstein-Uhlenbeck path reaches 0 from x0 within t with probability
-- erfc(x0 exp(-t)/sqrt(2 (1 - exp(-2t)))), in units of the trap; a free path at the distance a, erfc(a/sqrt(4Dt)); in a
-- box, the sum over its images.
do
  local exp, sqrt = math.exp, math.sqrt
  local function erfc(x)  -- Numerical Recipes' Chebyshev fit
    if x < 0 then return 2 - erfc(-x) end
    local t, c = 1 / (1 + 0.5 * x), { -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807,
                                      -1.13520398, 1.48851587, -0.82215223, 0.17087277 }
    local sum = 0
    for i = #c, 1, -1 do sum = c[i] + t * sum end
    return t * exp(sum - x * x)
  end
  local function in_trap(x0) return function(t) return erfc(x0 * exp(-t) / sqrt(2 * (1 - exp(-2 * t)))) end end
  local function free(a, D) return function(t) return erfc(a / sqrt(4 * D * t)) end end
  local function in_box(from, to, D)  -- the start is at 0
    local width = to - from
    return function(t)
      local s, sum = sqrt(4 * D * t), 0
      for n = -20, 20 do
        local a, b = 2 * n * width, 2 * to - 2 * n * width
        sum = sum + (erfc((from - a) / s) - erfc((to - a) / s) - erfc((from - b) / s) + erfc((to - b) / s)) / 2
      end
      return 1 - sum
    end
  end
  local function check(what, r, name, within, first, width)
    local density, errors = r:array(name).values[1], r:array(name .. "_err").values[1]
    for i = 1, first do
      local exact = (within(i * width) - (i > 1 and within((i - 1) * width) or 0)) / width
      assert(math.abs(density[i] - exact) < 0.03 * exact + 4 * errors[i],
             ("%s, bin %d of width %.3g, dt %.3g: %.4g(%.2g), exact %.4g"):format(what, i, width, r:column("dt")[1],
                                                                                  density[i], errors[i], exact))
    end
  end

  local paths = 100000
  local trap = { potential = bm.potential.harmonic {}, noise = bm.noise.gaussian { D = 1 } }
  for _, x0 in ipairs { 1.5, 2 } do
    local r = bm.run { model = bm.overdamped(trap), time = 3, paths = paths,
                       observe = bm.observe.first_passage { from = x0, to = 0, bins = 150 } }
    check("trap from " .. x0, r, "first_passage_density", in_trap(x0), 40, 0.02)
  end
  trap.walls = { x = { "absorb", from = 0 } }
  check("exits from a trap",
        bm.run { model = bm.overdamped(trap), initial = { x = 1.5 }, time = 3, paths = paths,
                 observe = bm.observe.exits { bins = 150 } }, "exit_density", in_trap(1.5), 40, 0.02)
  check("a free path", bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 0.5 } }, time = 0.5,
                                paths = paths,
                                observe = bm.observe.first_passage { from = 0, to = 1 } },
        "first_passage_density", free(1, 0.5), 50, 0.01)
  check("a box", bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 },
                                                 walls = { x = { "absorb", from = -0.1, to = 0.9 } } },
                          initial = { x = 0 }, time = 0.05, paths = paths, observe = bm.observe.exits { bins = 100 } },
        "exit_density", in_box(-0.1, 0.9, 1), 100, 0.0005)
  local pull = bm.system { variables = { "x" }, inertia = { x = true }, noise = { x = bm.noise.gaussian { T = 1 } } }
  check("a velocity", bm.run { model = pull, initial = { v_x = 1.5 }, time = 1, paths = paths,
                               observe = bm.observe.first_passage { of = "v_x", to = 0 } },
        "first_passage_density_v_x", in_trap(1.5), 40, 0.02)

  -- With inertia there is no such formula: short steps of normal increments.
  local function inertial(dt)
    return bm.run { model = bm.underdamped { noise = bm.noise.gaussian { T = 1 } }, time = 1.8, paths = paths, dt = dt,
                    observe = bm.observe.first_passage { from = 0, to = 0.2, bins = 30 } }
  end
  local default, short = inertial(), inertial(0.006)
  for i = 1, 30 do
    local function bin(r) return r:array("first_passage_density").values[1][i],
                                 r:array("first_passage_density_err").values[1][i] end
    local a, a_err = bin(default)
    local b, b_err = bin(short)
    assert(math.abs(a - b) < 0.03 * b + 4 * sqrt(a_err ^ 2 + b_err ^ 2),
           ("inertia, bin %d: %.4g(%.2g), short steps %.4g(%.2g)"):format(i, a, a_err, b, b_err))
  end
end

-- A free particle without a force comes back after a time whose mean is infinite.
do
  local function mean(time, force)
    local r = bm.run {
      model = bm.overdamped { noise = bm.noise.gaussian { D = 1 }, force = force }, paths = 1024, dt = 0.05,
        time = time,
      observe = bm.observe.first_passage { from = 0, to = 1 },
    }
    return r:column("mean_first_passage_time")[1], r:column("mean_first_passage_time_err")[1],
           r:column("first_passage_censored")[1]
  end
  for _, time in ipairs { 2, 20, 400, 4000 } do
    local t, err, left = mean(time, 0)
    assert(left > 0 and t ~= t and err ~= err, ("%g +- %g with %g censored"):format(t, err, left))
  end
  local t, err = mean(40, 1)  -- with a force: 1
  assert(math.abs(t - 1) < 4 * err + 0.02, ("%g +- %g"):format(t, err))
end

-- Velocities that diffuse meet levels within steps of aboba, whose friction damps what noise does over a step, not what
-- it does within it. Exact: mean first passages of an Ornstein-Uhlenbeck velocity, by quadrature, in units of sqrt(T/m)
-- and m/gamma.
do
  local exp, sqrt = math.exp, math.sqrt
  local function integral(f, from, to)  -- Simpson's rule
    local n = 400
    local h, sum = (to - from) / n, f(from) + f(to)
    for i = 1, n - 1 do sum = sum + (i % 2 == 1 and 4 or 2) * f(from + i * h) end
    return sum * h / 3
  end
  local function below(x) return integral(function(y) return exp(-y * y / 2) end, -8, x) end
  local function inside(x) return 2 * integral(function(y) return exp(-y * y / 2) end, 0, x) end
  local function rise(from, to)  -- from one level to a higher one
    return integral(function(x) return exp(x * x / 2) * below(x) end, from, to)
  end
  local function leave(a)  -- from 0 to a or -a
    return integral(function(x) return exp(x * x / 2) * inside(x) / 2 end, 0, a)
  end

  local function check(what, r, name, exact, part)
    local value, err = r:column(name)[1], r:column(name .. "_err")[1]
    assert(math.abs(value - exact) < part * exact + 4 * err and err < part * exact,
           ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
  end

  local free = bm.system { variables = { "x" }, inertia = { x = true }, noise = { x = bm.noise.gaussian { T = 1 } } }
  local function passage(what, options, exact, of, to, name)
    options.model, options.paths, options.initial = options.model or free, 16384, options.initial or { v_x = 0 }
    options.time = options.time or 60
    options.observe = bm.observe.first_passage { of = of, to = to, name = name, bins = 0 }
    check(what, bm.run(options), "mean_first_passage_time_" .. (name or of), exact, 0.012)
  end
  passage("v to 1.5 or -1.5", {}, leave(1.5), "v_x", { -1.5, 1.5 })
  passage("v to 1.5 or -1.5, dt = 0.24", { dt = 0.24 }, leave(1.5), "v_x", { -1.5, 1.5 })
  passage("v to 1.5 or -1.5, heun", { dt = 0.12, method = "heun" }, leave(1.5), "v_x", { -1.5, 1.5 })
  passage("v to 1", { time = 80 }, rise(0, 1), "v_x", 1)
  passage("v^2 to 2.25", { initial = { v_x = 0.001 } }, leave(1.5), "v_x^2", 2.25, "square")
  local slow = bm.system { variables = { "x" }, inertia = { x = { mass = 2, gamma = 0.5 } },
                           noise = { x = bm.noise.gaussian { T = 3 } } }
  passage("m = 2, gamma = 0.5, T = 3", { model = slow, time = 240 }, 4 * leave(1.5), "v_x",
          { -1.5 * sqrt(1.5), 1.5 * sqrt(1.5) })
  local undamped = bm.system { variables = { "x" }, inertia = { x = { gamma = 0 } },
                               noise = { x = bm.noise.gaussian { D = 0.5 } } }
  passage("without friction", { model = undamped, time = 20 }, 1, "v_x", { -1, 1 })

  -- the step's own error, seen by coarse steps of the same scheme, is not that of another
  local r = bm.run { model = free, dt = 0.24, time = 60, paths = 16384, initial = { v_x = 0 }, step_error = true,
                     observe = bm.observe.first_passage { of = "v_x", to = { -1.5, 1.5 }, bins = 0 } }
  check("with step_error", r, "mean_first_passage_time_v_x", leave(1.5), 0.015)
  check("extrapolated", r, "mean_first_passage_time_v_x_extrapolated", leave(1.5), 0.03)

  r = bm.run { model = free, dt = 0.2, time = 200, transient = 0.05, paths = 2048,
               observe = bm.observe.residence { of = "v_x", from = -1, to = 1 } }
  check("residence", r, "residence_low_v_x", rise(-1, 1), 0.012)
  check("residence", r, "residence_high_v_x", rise(-1, 1), 0.012)
  local reset = bm.system { variables = { "x" }, inertia = { x = true }, noise = { x = bm.noise.gaussian { T = 1 } },
                            events = { fast = { when = "v_x - 1", direction = "up", set = { v_x = "0" } } } }
  r = bm.run { model = reset, dt = 0.1, time = 400, transient = 0.05, paths = 1024, initial = { v_x = 0 },
               observe = "events" }
  check("events at a velocity", r, "fast_rate", 1 / rise(0, 1), 0.02)

  -- Turning points of a velocity, and of a sum of velocities: the default step follows the noise over the threshold.
  -- Free over short times, a velocity turns 2 D/threshold^2 times a time, D = gamma T/m^2.
  local pair = bm.system { variables = { "x", "y" }, inertia = { x = true, y = true },
                           noise = { x = bm.noise.gaussian { name = "of_x", T = 1 },
                                     y = bm.noise.gaussian { name = "of_y", T = 1 } } }
  for _, case in ipairs { { free, "v_x", "v_x", 1 }, { pair, "v_x + v_y", "sum", 2 } } do
    local model, of, name, D = unpack(case)
    local function turns(dt)
      return bm.run { model = model, dt = dt, time = 2, paths = 256, observe = bm.observe.turning_points {
        of = of, name = name ~= of and name or nil, threshold = 0.2 } }
    end
    r = turns()
    assert(#r.info.warnings == 0, table.concat(r.info.warnings, "; "))
    check("turning points of " .. of, r, "turning_rate_" .. name, 2 * D / 0.2 ^ 2, 0.04)
    -- the step that is advised is short enough
    local text = table.concat(turns(0.01).info.warnings, "; ")
    r = turns(tonumber(text:match "noise of a step; dt = (%S+) would do"))
    check("turning points of " .. of, r, "turning_rate_" .. name, 2 * D / 0.2 ^ 2, 0.04)
  end
end
