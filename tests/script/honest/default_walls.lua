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
