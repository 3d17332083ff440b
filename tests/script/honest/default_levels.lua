-- The default step where levels, walls and early times ask for a short one: starts near a level, formulas, Levy noise,
-- inertia, a force that presses to a wall, turning points, the first of the times that were asked for, amplitudes.
local bm = require "bmsim"
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
                          noise = { x = gaussian { name = "of_x", D = 0.5 }, y = gaussian { name = "of_y", D = 0.5 } } }
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

-- Noise with an amplitude through levels: a trap with D = 0.3 (1 + sin(3x)/2)^2, integrals of the mean time to go from
-- one level to the other by quadrature.
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
