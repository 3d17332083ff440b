-- Noise that is given by its temperature, where gamma is a formula, is in equilibrium at that temperature whatever the
-- interpretation of other noise: <v^2> = T/m and <v^4> = 3 (T/m)^2, whatever gamma depends on.
local bm = require "bmsim"
local T = 0.4
local function check(what, r, exact, part)
  for name, value in pairs(exact) do
    local got, err = r:column(name)[1], r:column(name .. "_err")[1]
    assert(math.abs(got - value) < part * value + 4 * err and err < part * value,
           ("%s: %s %.5g(%.2g), exact %.5g"):format(what, name, got, err, value))
  end
end
local function bath(name) return bm.noise.gaussian { name = name or "bath", T = T } end

for _, case in ipairs { { "1 + v_x^2", 1 }, { "1 + v_x^2", 1, "ito" }, { "1 + v_x^2", 2.5, "anti_ito" },
                        { "3/(1 + 4*v_x^2)", 1 } } do
  local gamma, mass, interpretation = unpack(case)
  local model = bm.system { variables = { "x" }, inertia = { x = { gamma = gamma, mass = mass } },
                            noise = { x = bath() }, interpretation = interpretation }
  check(gamma, bm.run { model = model, time = 40, paths = 4096,
                        observe = bm.observe.average { v2 = "v_x^2", v4 = "v_x^4" } },
        { v2 = T / mass, v4 = 3 * (T / mass) ^ 2 }, 0.015)
end
-- In a well, with friction of both; the potential energy knows the same temperature.
local well = bm.system {
  variables = { "x" }, inertia = { x = { gamma = "g*(1 + 2*x^2 + v_x^2)" } }, equations = { x = "-2*x" },
  parameters = { g = 0.7 }, noise = { x = bath() },
}
check("well", bm.run { model = well, time = 60, paths = 4096,
                       observe = bm.observe.average { v2 = "v_x^2", x2 = "x^2" } },
      { v2 = T, x2 = T / 2 }, 0.015)
-- Two variables, whose friction depends on both velocities, beside noise in the interpretation that is asked for:
-- d<y^2>/dt = 2 (-1 + D b'^2) <y^2> + 2 D for Ito's.
local several = bm.system {
  variables = { "x", "z", "y" }, interpretation = "ito",
  inertia = { x = { gamma = "1 + v_x^2 + v_z^2" }, z = { gamma = "1 + 2*v_x^2 + v_z^2", mass = 2 } },
  equations = { y = "-y" },
  noise = { x = bath "of_x", z = bath "of_z", y = bm.noise.gaussian { D = 0.5, amplitude = "sqrt(1 + y^2/2)" } },
}
check("several", bm.run { model = several, time = 40, paths = 4096,
                          observe = bm.observe.average { x2 = "v_x^2", z2 = "v_z^2", y2 = "y^2" } },
      { x2 = T, z2 = T / 2, y2 = 0.5 / 0.75 }, 0.02)

assert(tostring(well):find("of noise given by T", 1, true), tostring(well))
