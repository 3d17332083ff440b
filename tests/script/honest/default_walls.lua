-- The default step between walls that reflect noise with an amplitude, and forces and amplitudes that are not defined
-- beyond a wall.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian
local function check(what, r, name, exact, part)
  local value, err = r:column(name)[1], r:column(name .. "_err")[1]
  assert(math.abs(value - exact) < part * exact + 4 * err and err < part * exact,
         ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
end

-- The density is in proportion to 1/b, and with Ito to 1/b^2, b = c + a x: integrals of it are elementary.
local function mean(a, c, interpretation)
  local log = math.log((c + a) / c)
  if interpretation == "ito" then return (log - a / (c + a)) / a ^ 2 * c * (c + a) end
  return (a - c * log) / (a * log)
end
for _, b in ipairs { { 1, 1 }, { 2, 3 } } do
  for _, interpretation in ipairs { "stratonovich", "ito" } do
    local a, c = unpack(b)
    local text = ("%g + %g*x"):format(c, a)
    local r = bm.run { model = bm.overdamped { noise = gaussian { D = 0.5, amplitude = bm.formula { text } },
                                               walls = { x = { "reflect", from = 0, to = 1 } },
                                               interpretation = interpretation },
                       paths = 4096, time = 20, observe = bm.observe.average { x = "x" } }
    check(text, r, "x", mean(a, c, interpretation), 0.004)
  end
end

-- W. Feller, Ann. Math. 54, 173 (1951): x has a gamma law of shape a/D and mean a. And a force 1/x: the density is in
-- proportion to x^(1/D) exp(-x^2/2D).
local function on_half_line(force, D, amplitude)
  return bm.run { model = bm.system { variables = { "x" }, equations = { x = force },
                                      noise = { x = gaussian { D = D, amplitude = amplitude } },
                                      interpretation = "ito", walls = { x = { "reflect", from = 0 } } },
                  initial = { x = 1 }, paths = 4096, time = 50,
                  observe = bm.observe.average { x = "x", x2 = "x^2" } }
end
local feller, repelled = on_half_line("1.5 - x", 0.5, "sqrt(x)"), on_half_line("1/x - x", 0.25)
check("Feller", feller, "x", 1.5, 0.004)
check("Feller", feller, "x2", 3, 0.008)
check("1/x", repelled, "x2", 1.25, 0.004)

-- Above a wall, and in a box, the density is in proportion to exp(-f x/D), up to the walls, in bins far narrower than a
-- step is long.
local f, D, bins = 1, 0.5, 25
local function check_density(walls, range, whole, time, tolerance)
  local r = bm.run { model = bm.overdamped { force = -f, noise = gaussian { D = D }, walls = { x = walls } },
                     initial = { x = 0.5 }, time = time, paths = 400000,
                     observe = bm.observe.density { range = { 0, range }, bins = bins } }
  for i = 1, bins do
    local from, to = (i - 1) * range / bins, i * range / bins
    local exact = (math.exp(-f * from / D) - math.exp(-f * to / D)) / (to - from) / whole
    local value, err = r:array("density").values[1][i], r:array("density_err").values[1][i]
    assert(math.abs(value - exact) < tolerance * exact + 4 * err and err < 0.01 * exact,
           ("density in bin %d: %.4g(%.1g), exact %.4g"):format(i, value, err, exact))
  end
end
check_density({ "reflect", from = 0 }, 0.5, 1, 40, 0.012)
check_density({ "reflect", from = 0, to = 1 }, 1, 1 - math.exp(-f / D), 20, 0.003)

-- A walled variable beside one with inertia, on a spring between them: both have the mean T/f.
local pair = bm.system {
  variables = { "x", "y" }, inertia = { y = { mass = 0.5, gamma = 1.5 } },
  equations = { x = "-1 - 2*(x - y)", y = "2*(x - y)" }, walls = { x = { "reflect", from = 0 } },
  noise = { x = gaussian { name = "of_x", D = 0.6 }, y = gaussian { name = "of_y", T = 0.6 } },
}
local r = bm.run { model = pair, initial = { x = 0.6, y = 0.6 }, time = 100, paths = 8192,
             observe = bm.observe.average { x = "x", y = "y", stretch = "(x - y)^2" } }
check("pair", r, "x", 0.6, 0.01)
check("pair", r, "y", 0.6, 0.01)
check("pair", r, "stretch", 0.3, 0.01)
