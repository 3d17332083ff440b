-- Noise whose amplitude vanishes at a wall, or is not defined beyond it, at the default step: means are exact, also
-- where paths are at the wall most of the time and the density diverges there.
local bm = require "bmsim"
local function gaussian(name, D, amplitude) return bm.noise.gaussian { name = name, D = D, amplitude = amplitude } end
local function check(what, r, exact, part)
  for name, value in pairs(exact) do
    local got, err = r:column(name)[1], r:column(name .. "_err")[1]
    assert(math.abs(got - value) < part * value + 4 * err and err < 1.5 * part * value,
           ("%s: <%s> %.5g(%.2g), exact %.5g"):format(what, name, got, err, value))
  end
end
local function run(fields)
  local model = bm.system { variables = { "x" }, equations = { x = fields.force }, noise = { x = fields.noise },
                            interpretation = fields.interpretation or "ito", walls = { x = fields.walls } }
  return bm.run { model = model, time = 12, paths = fields.paths or 2000, transient = 0.4, seed = 5,
                  initial = { x = fields.start or 1 }, observe = bm.observe.average { x = "x", x2 = "x^2" } }
end
local below = { "reflect", from = 0 }

-- W. Feller, Ann. Math. 54, 173 (1951): for Ito's interpretation x has a gamma law of shape a/D and mean a.
for _, case in ipairs { { 1, "ito", 1 }, { 3, "ito", 1 } } do
  local D, interpretation, a = unpack(case)
  check(("Feller, D = %g, %s"):format(D, interpretation),
        run { force = "1 - x", noise = gaussian("g", D, "sqrt(x)"), interpretation = interpretation, walls = below,
              paths = 4000 },
        { x = a, x2 = a * a + a * D }, 0.02)
end
-- The same upside down, at a wall that is not at 0.
check("wall above", run { force = "1.3 - x", noise = gaussian("g", 2, "sqrt(2.3 - x)"), start = 0.5,
                          walls = { "reflect", to = 2.3 } }, { x = 1.3, x2 = 2.3 ^ 2 - 4.6 + 3 }, 0.02)
-- Between two walls, at which it vanishes (S. Wright, Genetics 16, 97, 1931): beta laws, of the parameters a/D, b/D.
for _, D in ipairs { 0.1, 1 } do
  local a, b = 0.2 / D, 0.3 / D
  check(("Wright and Fisher, D = %g"):format(D),
        run { force = "0.2 - 0.5*x", noise = gaussian("g", D, "sqrt(x*(1 - x))"), start = 0.5,
              walls = { "reflect", from = 0, to = 1 } },
        { x = a / (a + b), x2 = a * (a + 1) / (a + b) / (a + b + 1) }, 0.02)
end
-- A second noise, with another amplitude: heun.
check("two noises", run { force = "1 - x", noise = { gaussian("g", 1, "sqrt(x)"), gaussian("h", 0.1, "x") },
                          walls = below }, { x = 1, x2 = 2 / 0.9 }, 0.03)
