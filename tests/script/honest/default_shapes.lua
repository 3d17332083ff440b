-- The default step in potentials that are flat but near the start, that fall without bound behind walls, or that are
-- not finite there: mean times to leave from quadrature, and averages.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian
local function near(what, value, err, exact, part)
  assert(math.abs(value - exact) < part * exact + 4 * err and err < part * exact,
         ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
end

-- Mean time from x to b, with an exit at a or, where `reflects`, a reflecting end there: C. W. Gardiner, Handbook of
-- Stochastic Methods, section 5.2.7.
local function mean_time(V, D, a, x, b, reflects)
  local n, inner, outer, scale = 40000, 0, 0, 0
  local h, outer_x, scale_x = (b - a) / n
  for i = 1, n do
    local y = a + (i - 0.5) * h
    if not outer_x and y > x then outer_x, scale_x = outer, scale end
    local rise = math.exp(V(y) / D) * h
    inner = inner + math.exp(-V(y) / D) * h
    scale, outer = scale + rise, outer + rise * (inner - math.exp(-V(y) / D) * h / 2) / D
  end
  return reflects and outer - outer_x or outer * scale_x / scale - outer_x
end
-- low nil: no wall there; `lowest` is where V is so high that nothing comes.
local function leaves(formula, D, low, x, high, time, lowest)
  local V = assert(load("local exp, cosh, tanh = math.exp, math.cosh, math.tanh return function(x) return " .. formula
                        .. " end"))()
  local r = bm.run { model = bm.overdamped { potential = bm.potential.formula { formula }, noise = gaussian { D = D },
                                             walls = { x = { "absorb", from = low, to = high } } },
                     initial = { x = x }, time = time, transient = 0, paths = 8192, observe = bm.observe.exits {} }
  near(formula, r:column "mean_exit_time"[1], r:column "mean_exit_time_err"[1],
       mean_time(V, D, low or lowest, x, high, low == nil), 0.02)
end
leaves("2*(1 - exp(-x))^2", 0.8, nil, 0, 3, 300, -2)
leaves("1.5*exp(-(x/0.3)^2)", 0.5, -2, -0.6, 2, 60)
leaves("-1.5*exp(-(x/0.3)^2)", 0.5, -2, 0, 2, 200)
leaves("-2/(1 + (x/0.3)^2)", 0.8, -2, 0, 2, 100)
leaves("x^2/2 - x^4/4", 0.2, -1.5, 0, 1.5, 100)
leaves("x^2/2 - x^3/3", 0.5, nil, 0, 2, 100, -4)
leaves("-cosh(x)", 0.5, -2, 0, 2, 30)
leaves("-1/x", 0.5, 0.2, 1, 2, 10)
leaves("4*(x^-12 - x^-6)", 0.6, nil, 1.122, 2.5, 20, 0.7)

-- Between walls that reflect, of a potential that falls without bound behind them, and far from 0.
local r = bm.run { model = bm.overdamped { potential = bm.potential.formula { "x^2/2 - x^4/4" },
                                           noise = gaussian { D = 0.1 },
                                           walls = { x = { "reflect", from = -1, to = 1 } } },
                   initial = { x = 0 }, time = 200, paths = 1024, observe = bm.observe.average { x2 = "x^2" } }
local weight, square = 0, 0
for i = 1, 2000 do
  local x = (i - 0.5) / 2000
  local p = math.exp(-(x ^ 2 / 2 - x ^ 4 / 4) / 0.1)
  weight, square = weight + p, square + p * x ^ 2
end
near("between walls", r:column "x2"[1], r:column "x2_err"[1], square / weight, 0.01)
r = bm.run { model = bm.overdamped { potential = bm.potential.formula { "(x - 1000000)^2" },
                                     noise = gaussian { D = 0.01 } },
             initial = { x = 1e6 }, time = 60, paths = 1024, observe = bm.observe.average { x2 = "(x - 1000000)^2" } }
near("far from 0", r:column "x2"[1], r:column "x2_err"[1], 0.005, 0.01)

-- In SI units: a Gaussian well of 20 kT, 0.1 nm wide.
r = bm.run { model = bm.overdamped { potential = bm.potential.formula { "-U*exp(-x^2/(2*w^2))", U = 8.22e-8,
                                                                        w = 1e-10 },
                                     noise = gaussian { D = 4.11e-9 } },
             initial = { x = 0 }, time = 2e-10, paths = 1024, observe = bm.observe.average { x2 = "x^2" } }
near("well", r:column "x2"[1], r:column "x2_err"[1], 5.440e-22, 0.005)

-- Levy noise goes to a well far from the start, whose curvature then bounds the step: 200, in a trap of 0.05.
r = bm.run { model = bm.overdamped { potential = bm.potential.formula { "x^2/40 - 2*exp(-50*(x - 5)^2)" },
                                     noise = bm.noise.levy { alpha = 1.5, scale = 0.5 } },
             initial = { x = 0 }, time = 100, paths = 16, check_step = false, observe = "velocity" }
assert(r:column "dt"[1] < 1e-3, ("Levy noise: dt = %g"):format(r:column "dt"[1]))
