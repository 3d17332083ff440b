-- Densities of passage and exit times in bins of a few steps and less, at the default step, where all paths begin at
-- one place. Exact: an Ornstein-Uhlenbeck path reaches 0 from x0 within t with probability
-- erfc(x0 exp(-t)/sqrt(2 (1 - exp(-2t)))), in units of the trap; a free path at the distance a, erfc(a/sqrt(4Dt)); in a
-- box, the sum over its images.
local bm = require "bmsim"
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
