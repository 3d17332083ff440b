-- Default steps: what the motion asks for is seen, and numbers are right.
local bm = require "bmsim"

-- A slow drive of no amplitude says nothing about the step that the potential needs.
do
  local r = bm.run {
    model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.1 }, force = 3,
                            drive = bm.drive.cosine { amplitude = 0, omega = 0.1 } },
    periods = 20, paths = 512,
  }
  local exact = bm.theory.stratonovich { model = bm.overdamped {
    potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.1 }, force = 3 } }
  local v, err = r:column "velocity"[1], r:column "velocity_err"[1]
  assert(math.abs(v - exact) < 4 * err and err < 0.05 * exact, ("%g +- %g, exact %g"):format(v, err, exact))
  assert(#r.info.warnings == 0 and r.info.why_step, "the step is chosen by the motion, without a warning")
end

-- The default step in potentials that are flat but near the start, that fall without bound behind walls, or that are
-- not finite there: mean times to leave from quadrature, and averages.
do
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
end

-- Systems at the default step: events at zeros of formulas that are flat where paths are set, forces that jump, forces
-- that depend on velocities at a wall, an integral over positions, and passages of curved formulas.
do
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
                      potential = { x = bm.potential.formula { "De*(1 - exp(-al*(x - r0)))^2", De = 1.233e-19,
                        al = 2e10,
                                                               r0 = 1.5e-10 } },
                      noise = { x = gaussian { T = 4.11e-21 } } }
  r = bm.run { model = model, time = 2e-11, paths = 2000, transient = 0.1, initial = { x = 1.5e-10 },
               observe = bm.observe.average { v2 = "v_x^2" } }
  check("Morse bond", r, "v2", 4.11e-21 / 2e-26, 0.01)

  -- What is far from the start, in time or in place: a stiffness y^2 that grows, where Var x follows from its equation;
  -- a barrier that is a hundredth of the period wide, by Stratonovich's formula.
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
    dt = step(bm.system { variables = { "x", "p" }, equations = { x = "p", p = "-k*x" },
      parameters = { k = omega ^ 2 } },
              { time = 200 / omega, initial = { x = 1, p = 0 } })
    assert(math.abs(dt * omega - 0.1) < 0.01, ("omega = %g: dt*omega = %g"):format(omega, dt * omega))
  end
end

-- Mean times to leave an interval and to reach a level, at the default step: from the middle, from near an end, in a
-- drift, and out of a trap. They are good to 0.4 %.
do
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
end

-- Two overdamped particles, bound to their places by k and to each other by kappa, in baths of different temperatures:
-- the entropy production at the default step is kappa^2 (T1 - T2)^2/(2 (k + kappa) T1 T2).
do
  local model = bm.system {
    variables = { "x", "y" }, equations = { x = "-2*x + y", y = "x - 2*y" },
    noise = { x = bm.noise.gaussian { name = "hot", T = 1 }, y = bm.noise.gaussian { name = "cold", T = 0.2 } },
  }
  local r = bm.run { model = model, time = 40, transient = 0.2, paths = 4000, observe = "entropy_production" }
  local value, err = r:column "entropy_production"[1], r:column "entropy_production_err"[1]
  assert(math.abs(value - 0.8) < 0.015 * 0.8 + 4 * err, ("%.4f(%.4f), exact 0.8"):format(value, err))
end

-- Averages of formulas that jump near the place to which events set paths: for half a step after each event paths count
-- at that place, however narrow the region is that the formula sees.
do
  -- M. R. Evans, S. N. Majumdar, Phys. Rev. Lett. 106, 160601 (2011): reset at a rate r, a free path has the density
  -- (k/2) exp(-k |x - x0|), k = sqrt(r/D).
  local D, r, place = 0.5, 0.7, 0.2
  for _, rate in ipairs { "r", "r*(1 + x^4/1e4)" } do  -- counted down to, and a hazard
    for _, w in ipairs { 0.1, 0.03 } do
      local model = bm.overdamped { noise = bm.noise.gaussian { D = D },
                                    potential = bm.potential.formula { "0*x" },
                                    events = { reset = { rate = rate, set = { x = "to" }, r = r, to = place } } }
      local run = bm.run { model = model, time = 40, transient = 0.5, paths = 4096, initial = { x = place },
                           observe = bm.observe.average { near = ("if(abs(x - 0.2) < %g, 1, 0)"):format(w),
                                                          above = "if(x > 0.201, 1, 0)" } }
      local function check(name, exact)
        local value, err = run:column(name)[1], run:column(name .. "_err")[1]
        assert(math.abs(value - exact) < 0.015 * exact + 3 * err and err < 0.01 * exact,
               ("%s, %s, w = %g: %.4g(%.2g), exact %.4g"):format(rate, name, w, value, err, exact))
      end
      local k = math.sqrt(r / D)
      check("near", 1 - math.exp(-k * w))
      check("above", math.exp(-k * 0.001) / 2)
    end
  end
end

-- In a sweep of more than 256 points, points that move alike share the time scales that short paths found at one of
-- them. Each has about the step that it has alone, also where a pair of parameters makes a well narrow.
do
  local function run(a, w, dt)
    return bm.run {
      model = bm.system { variables = { "x", "y" }, parameters = { a = 1, w = 1 }, equations = {
        x = "-a*x + y - 3*x*exp(-(x - 1)^2/(2*w^2))/w", y = "-a*y - x" },
        noise = { x = bm.noise.gaussian { D = 0.3 } } },
      sweep = { bm.zip { { "a", a }, { "w", w } } }, paths = 1, time = 2, transient = 0, dt = dt, check_step = false,
      initial = { x = 0, y = 0 }, observe = bm.observe.paths { paths = 1, count = 2 },
    }
  end
  local a, w, state = {}, {}, 7
  local function number()
    state = (state * 16807) % 2147483647
    return state / 2147483647
  end
  for i = 1, 600 do a[i], w[i] = 0.5 * 16 ^ number(), 0.03 * 30 ^ number() end
  local together = run(a, w)
  for k = 1, 600, 37 do
    local alone = run({ a[k] }, { w[k] })
    local ratio = together:column "dt"[k] / alone:column "dt"[1]
    assert(ratio > 1 / 1.5 and ratio < 1.5, ("a = %.3g, w = %.3g: %.3g times the step"):format(a[k], w[k], ratio))
  end
end
