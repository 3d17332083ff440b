-- Mean times to leave an interval and to reach a level, at the default step: from the middle, from near an end, in a
-- drift, and out of a trap. They are good to 0.4 %.
local bm = require "bmsim"
local noise = bm.noise.gaussian { D = 0.5 }
local function near(what, r, name, exact, part)
  local t, err = r:column(name)[1], r:column(name .. "_err")[1]
  assert(math.abs(t - exact) < part * exact + 4 * err, ("%s: %.4f(%.4f), exact %.4f"):format(what, t, err, exact))
end
local function exits(what, r, exact) near("exit from " .. what, r, "mean_exit_time", exact, 0.004) end
local function passages(what, r, exact) near("passage from " .. what, r, "mean_first_passage_time", exact, 0.004) end
local box = { x = { "absorb", from = -1, to = 1 } }
local half = { x = { { "reflect", from = 0 }, { "absorb", to = 1 } } }
for _, case in ipairs { { box, 0 }, { box, 0.5 }, { box, 0.8 }, { half, 0.2 }, { half, 0.9 } } do
  local walls, x = unpack(case)
  local r = bm.run { model = bm.overdamped { noise = noise, walls = walls }, time = 12, paths = 100000,
    initial = { x = x } }
  exits(x, r, 1 - x^2)
end
for _, case in ipairs { { { -1, 1 }, 0, 1 }, { { -1, 1 }, 0.8, 0.36 }, { 1, 0, 0.5, 2 }, { 0.2, 0, 0.1, 2 } } do
  local to, x, exact, force = unpack(case)
  local r = bm.run { model = bm.overdamped { noise = noise, force = force }, time = 24, paths = 100000,
    initial = { x = x }, observe = bm.observe.first_passage { to = to } }
  passages(x, r, exact)
end
-- Out of a trap, whose walls or levels lie where the density falls within a few steps: from an exact solution of
-- D T'' - k x T' = -1 by T'(x) = -(1/D) exp(k x^2/2D) int_0^x exp(-k y^2/2D) dy.
local k, D, exact, inner, n = 3, 0.5, 0, 0, 20000
for i = 1, n do
  local x, h = (i - 0.5) / n, 1 / n
  local weight = math.exp(-k * x ^ 2 / (2 * D))
  exact = exact + h / (D * weight) * (inner + weight * h / 2)
  inner = inner + weight * h
end
local function trap(fields, observe)
  fields.potential, fields.noise = bm.potential.harmonic { k = k }, noise
  return bm.run { model = bm.overdamped(fields), time = 60, paths = 400000, initial = { x = 0 }, observe = observe }
end
exits("a trap", trap { walls = box }, exact)
passages("a trap", trap({}, bm.observe.first_passage { to = { -1, 1 } }), exact)

-- Their density in bins about as wide as a step, after the first of them, in which few have left.
local bins, longest = 60, 3
local r = bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 0.5 },
                                           walls = { x = { "absorb", from = -1, to = 1 } } },
                   initial = { x = 0 }, time = 6, transient = 0, paths = 100000,
                   observe = bm.observe.exits { bins = bins, longest = longest } }
local function survival(t)
  local sum = 0
  for term = 0, 60 do
    local odd = 2 * term + 1
    sum = sum + (-1) ^ term * 4 / (math.pi * odd) * math.exp(-odd ^ 2 * math.pi ^ 2 * t / 8)
  end
  return sum
end
local chi_square, counted = 0, 0
for i = 5, bins do
  local from, to = (i - 1) * longest / bins, i * longest / bins
  local density, err = r:array("exit_density").values[1][i], r:array("exit_density_err").values[1][i]
  chi_square = chi_square + ((density - (survival(from) - survival(to)) / (to - from)) / err) ^ 2
  counted = counted + 1
end
assert(chi_square < counted + 5 * math.sqrt(2 * counted), chi_square .. " of " .. counted)

-- Over a corner of V, where forces press paths to 0 from both sides; also of a variable of a system. A kink behind an
-- end, or on top of V, leaves the step as it is.
local heat, across = 1, 2
local function over_corner(text, to, start)
  local V, gaussian = bm.potential.formula { text }, bm.noise.gaussian { D = heat }
  return bm.run { model = bm.overdamped { potential = V, noise = gaussian },
                  initial = { x = start }, time = 90, paths = start == 0 and 400000 or 16, check_step = false,
                  observe = bm.observe.first_passage { to = to } }
end
local function step_of(one) return one:column "dt"[1] end
r = over_corner("abs(x)", { -across, across }, 0)
local corner = math.exp(across) - 1 - across
local t, err = r:column "mean_first_passage_time"[1], r:column "mean_first_passage_time_err"[1]
assert(math.abs(t - corner) < 0.008 * corner + 2 * err, ("corner: %.4f(%.4f), exact %.4f"):format(t, err, corner))
assert(step_of(r) == step_of(over_corner("abs(x)", -2, 3)) and step_of(r) < 0.07, "in the way")
assert(step_of(over_corner("abs(x)", 1, 3)) > 0.14 and step_of(over_corner("-abs(x)", 2, 0)) > 0.14, "not in the way")
local pair = bm.system { variables = { "x", "y" }, equations = { x = "-sign(x) + 0*y", y = "-sign(y)/8" },
                         noise = { x = bm.noise.gaussian { name = "of_x", D = heat },
                                   y = bm.noise.gaussian { name = "of_y", D = heat } } }
r = bm.run { model = pair, initial = { x = 0, y = 0 }, time = 90, paths = 16, check_step = false,
             observe = bm.observe.first_passage { of = "x", to = { -across, across } } }
assert(step_of(r) < 0.07, "of a system")
