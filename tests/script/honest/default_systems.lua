-- Systems at the default step: events at zeros of formulas that are flat where paths are set, forces that jump, forces
-- that depend on velocities at a wall, an integral over positions, and passages of curved formulas.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian
local function check(what, r, name, exact, part)
  local value, err = r:column(name)[1], r:column(name .. "_err")[1]
  assert(math.abs(value - exact) < part * math.abs(exact) + 4 * err and err < part * math.abs(exact),
         ("%s, %s: %.5g(%.2g), exact %.5g"):format(what, name, value, err, exact))
end
local function both(D) return { x = gaussian { name = "of_x", D = D }, y = gaussian { name = "of_y", D = D } } end

-- Back to 0 at the distance 1, after a mean time of 1/(2 D d) in d dimensions.
for formula, rate in pairs { ["x^2 - 1"] = 1, ["x^2 + y^2 - 1"] = 2 } do
  local model = bm.system { variables = { "x", "y" }, equations = { x = "0", y = "0" }, noise = both(0.5),
                            events = { back = { when = formula, direction = "up", set = { x = "0", y = "0" } } } }
  check(formula, bm.run { model = model, initial = { x = 0, y = 0 }, time = 60, transient = 0.2, paths = 2048,
                          observe = "events" }, "back_rate", rate, 0.02)
end

-- A force that jumps or bends asks for no absurd step.
for formula, square in pairs { ["-sign(x)"] = 0.5, ["-2*abs(x)*sign(x)"] = 0.25, ["mod(x, 1) - 0.5 - 4*x"] = 0 } do
  local model = bm.system { variables = { "x" }, equations = { x = formula }, noise = { x = gaussian { D = 0.5 } } }
  local r = bm.run { model = model, initial = { x = 0 }, time = 40, paths = 8192,
                     observe = bm.observe.average { x2 = "x^2" } }
  assert(r:column "dt"[1] > 1e-4, ("%s: dt = %g"):format(formula, r:column "dt"[1]))
  if square > 0 then check(formula, r, "x2", square, 0.02) end
end

-- A magnetic field and a weight above a wall: the laws of Boltzmann and Maxwell, and no current.
local model = bm.system {
  variables = { "x", "y" }, inertia = { x = { mass = 1, gamma = 0.5 }, y = { mass = 1, gamma = 0.5 } },
  equations = { x = "2*v_y", y = "-2*v_x - 1" }, walls = { y = { "reflect", from = 0, to = 1 } },
  noise = { x = gaussian { name = "of_x", T = 0.6 }, y = gaussian { name = "of_y", T = 0.6 } },
}
local r = bm.run { model = model, initial = { y = 0.5 }, time = 60, paths = 8192,
                   observe = { "velocity", bm.observe.average { y1 = "y", vx2 = "v_x^2", vy2 = "v_y^2" } } }
check("field", r, "vx2", 0.6, 0.01)
check("field", r, "vy2", 0.6, 0.012)
check("field", r, "y1", 0.6 - 1 / (math.exp(1 / 0.6) - 1), 0.008)
assert(math.abs(r:column "velocity_x"[1]) < 4 * r:column "velocity_x_err"[1])

-- The area that a stationary linear system encloses: the mean of (x f_y - y f_x)/2, from the covariances C, by
-- A C + C A^T = -2 D.
model = bm.system { variables = { "x", "y" }, equations = { x = "-x + 0.5*y", y = "-0.8*x - 2*y" },
                    noise = { x = gaussian { name = "of_x", D = 0.7 }, y = gaussian { name = "of_y", D = 0.9 } } }
r = bm.run { model = model, time = 40, transient = 0.25, paths = 8192,
             observe = bm.observe.integral { area = { x = "-y/2", y = "x/2" } } }
local c_xy = -(0.5 * 0.45 - 0.8 * 0.7) / (0.5 * -0.8 / 1 + 0.5 * -0.8 / 2 - 3)
local c_xx, c_yy = 0.7 + 0.5 * c_xy, 0.45 - 0.4 * c_xy
check("area", r, "area", 30 * 0.5 * (-0.8 * c_xx - 2 * c_xy + c_xy - 0.5 * c_yy), 0.02)

-- (R^2 - r^2)/4D, by the square of the distance.
r = bm.run { model = bm.system { variables = { "x", "y" }, equations = { x = "0", y = "0" }, noise = both(0.5) },
             initial = { x = 0.5, y = 0 }, time = 6, transient = 0, paths = 20000,
             observe = bm.observe.first_passage { of = "x^2 + y^2", name = "square", to = 1 } }
check("circle", r, "mean_first_passage_time_square", 0.375, 0.008)

-- In SI units, where all structure is far smaller than a metre: an optical trap of 20 kT, 100 nm wide, where
-- <x^2> = 5.440e-16 m^2 by quadrature; a Morse bond of 30 kT, with <v^2> = T/m.
model = bm.system { variables = { "x" }, equations = { x = "-a*x*exp(-x^2/(2*w^2))" },
                    parameters = { a = 874.468, w = 1e-7 }, noise = { x = gaussian { D = 4.37234e-13 } } }
r = bm.run { model = model, time = 1, paths = 1000, observe = bm.observe.average { x2 = "x^2" } }
check("optical trap", r, "x2", 5.440e-16, 0.005)
model = bm.system { variables = { "x" }, inertia = { x = { mass = 2e-26, gamma = 2e-14 } },
                    potential = { x = bm.potential.formula { "De*(1 - exp(-al*(x - r0)))^2", De = 1.233e-19, al = 2e10,
                                                             r0 = 1.5e-10 } },
                    noise = { x = gaussian { T = 4.11e-21 } } }
r = bm.run { model = model, time = 2e-11, paths = 2000, transient = 0.1, initial = { x = 1.5e-10 },
             observe = bm.observe.average { v2 = "v_x^2" } }
check("Morse bond", r, "v2", 4.11e-21 / 2e-26, 0.01)

-- What is far from the start, in time or in place: a stiffness y^2 that grows, where Var x follows from its equation; a
-- barrier that is a hundredth of the period wide, by Stratonovich's formula.
model = bm.system { variables = { "x", "y" }, equations = { x = "-y^2*x", y = "0.05" },
                    noise = { x = gaussian { D = 0.5 } } }
r = bm.run { model = model, time = 100, paths = 8192, initial = { y = 1 },
             observe = bm.observe.moments { of = "x", times = { 50, 100 } } }
for i, exact in ipairs { 0.04086, 0.01389 } do
  local value, err = r:array("x_cumulant_2").values[1][i], r:array("x_cumulant_2_err").values[1][i]
  assert(math.abs(value - exact) < 0.01 * exact + 4 * err, ("growing stiffness: %.5g(%.2g)"):format(value, err))
end
model = bm.system { variables = { "x" }, force = { x = 1 }, noise = { x = gaussian { D = 0.5 } },
                    potential = { x = bm.potential.formula { "A*exp(k*(cos(2*pi*x/L) - 1))", A = 2, k = 1000,
                                                             L = 1 } } }
r = bm.run { model = model, time = 12, paths = 400, transient = 0.2, observe = "velocity" }
check("narrow barrier", r, "velocity_x", 0.7441, 0.03)

-- The same for Levy noise, which goes to a well whose curvature is 200.
r = bm.run { model = bm.system { variables = { "x" }, equations = { x = "-0.05*x - 200*(x - 5)*exp(-50*(x - 5)^2)" },
                                 noise = { x = bm.noise.levy { alpha = 1.5, scale = 0.5 } } },
             time = 100, paths = 16, check_step = false, observe = "velocity" }
assert(r:column "dt"[1] < 1e-3, ("Levy noise: dt = %g"):format(r:column "dt"[1]))

-- Steps that no structure asks for: mean fields, a pole that the motion does not pass, units of an oscillation.
local function step(system, fields)
  fields.model, fields.paths, fields.check_step = system, 8, false
  return bm.run(fields):column "dt"[1]
end
local dt = step(bm.system { variables = { "x" }, fields = { m = "x^2" }, equations = { x = "-x + 0.5*m*x" },
                            noise = { x = gaussian { D = 0.2 } } }, { time = 20, replicas = 16, initial = { x = 0 } })
assert(dt > 0.02, ("mean field: dt = %g"):format(dt))
dt = step(bm.system { variables = { "x", "y" }, parameters = { q = 0.002, e = 0.01 },
                      equations = { x = "(x*(1 - x) - y*(x - q)/(x + q))/e", y = "x - y" } },
          { time = 5, initial = { x = 0.1, y = 0.1 } })
assert(dt > 1e-6, ("pole: dt = %g"):format(dt))
for _, omega in ipairs { 1e-4, 1, 1e4 } do
  dt = step(bm.system { variables = { "x", "p" }, equations = { x = "p", p = "-k*x" }, parameters = { k = omega ^ 2 } },
            { time = 200 / omega, initial = { x = 1, p = 0 } })
  assert(math.abs(dt * omega - 0.1) < 0.01, ("omega = %g: dt*omega = %g"):format(omega, dt * omega))
end
