-- Where forces bend or jump.
local bm = require "bmsim"

-- The default step where forces jump or bend. A force f presses paths into a layer of width D/f on its side of a jump,
-- in which noise and force balance within D/f^2: averages by Boltzmann's law.
do
  local gaussian = bm.noise.gaussian
  local function near(what, value, err, exact, part)
    assert(math.abs(value - exact) < part * exact + 4 * err and err < part * exact,
           ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
  end
  local function check(what, r, name, exact, part)
    near(what .. ", " .. name, r:column(name)[1], r:column(name .. "_err")[1], exact, part)
    assert(#r.info.warnings == 0, ("%s: %s"):format(what, r.info.warnings[1]))
  end

  -- Means of |x|, of x^2 and of x < 0 in V, at the temperature T.
  local function boltzmann(V, T, reach)
    local n, weight, size, square, below = 40000, 0, 0, 0, 0
    for i = 1, n do
      local x = reach * ((2 * i - 1) / n - 1)
      local p = math.exp(-V(x) / T)
      weight, size, square = weight + p, size + p * math.abs(x), square + p * x ^ 2
      if x < 0 then below = below + p end
    end
    return size / weight, square / weight, below / weight
  end

  -- Kinks of V: alone, in a well, with forces of 1 to 8 and of 1 to 20 on both sides, tilted, and of walls around a
  -- flat part. The time is in units of the slowest relaxation.
  local formula = "a*max(x, 0) + b*max(-x, 0) + k*x^2/2 + c*max(abs(x) - 1, 0)"
  local averages = bm.observe.average { size = "abs(x)", square = "x^2", below = "x < 0" }
  local function potential(a, b, k, c)
    return bm.potential.formula { formula, a = a, b = b, k = k, c = c }, function(x)
      return a * math.max(x, 0) + b * math.max(-x, 0) + k * x ^ 2 / 2 + c * math.max(math.abs(x) - 1, 0)
    end
  end
  for _, one in ipairs { { 10, 10, 0, 0, 0, 0.4 }, { 10, 10, 1, 0, 0, 0.4 }, { 40, 5, 0, 0, 0, 2 }, { 60, 3, 0, 0, 0,
    4 },
                         { 10, 10, 0, 0, 6, 1.5 }, { 0, 0, 0, 20, 0, 8 }, { 50, 0, 1, 0, 0, 10 } } do
    local a, b, k, c, force, time = unpack(one)
    local V, shape = potential(a, b, k, c)
    local function tilted(x) return shape(x) - force * x end
    local what = ("a %g, b %g, k %g, c %g, force %g"):format(a, b, k, c, force)
    local weakest = math.max(math.min(a, b) - force, k > 0 and 3 or 1, c > 0 and 8 or 1)
    local size, square, below = boltzmann(tilted, 0.5, 16 / weakest)
    local r = bm.run { model = bm.overdamped { potential = V, force = force, noise = gaussian { D = 0.5 } },
                       initial = { x = 0 }, time = time, transient = 0.25, paths = 4096, check_step = false,
                       observe = averages }
    check(what, r, "size", size, 0.015)
    check(what, r, "square", square, 0.02)
    check(what, r, "below", below, 0.025)
  end
  for _, one in ipairs { { 10, 10, 12, 1 }, { 10, 10, 40, 0.2 }, { 20, 2, 10, 2 } } do
    local a, b, time, gamma = unpack(one)
    local V, shape = potential(a, b, 0, 0)
    local size, square = boltzmann(shape, 0.5, 16 / math.min(a, b))
    local r = bm.run { model = bm.underdamped { potential = V, gamma = gamma, noise = gaussian { T = 0.5 } },
                       initial = { x = 0 }, time = time, transient = 0.5, paths = 4096, check_step = false,
                       observe = averages }
    check(("inertia, a %g, b %g, gamma %g"):format(a, b, gamma), r, "size", size, 0.02)
    check(("inertia, a %g, b %g, gamma %g"):format(a, b, gamma), r, "square", square, 0.03)
  end

  -- Sawteeth of 50 and 100 D: the variance in a tooth of the slopes f and g is D^2 (1/f^2 + 1/g^2).
  local function tooth(what, V, force, start, f, g)
    local D = 0.02
    local r = bm.run { model = bm.overdamped { potential = V, force = force, noise = gaussian { D = D } },
                       initial = { x = start }, time = 0.4, paths = 16384,
                       observe = bm.observe.moments { times = { 0.4 } } }
    near(what, r:array("x_cumulant_2").values[1][1], r:array("x_cumulant_2_err").values[1][1],
         D ^ 2 * (1 / f ^ 2 + 1 / g ^ 2), 0.03)
  end
  tooth("tilted sawtooth", bm.potential.piecewise_linear { V0 = 1, L = 1, k = 0.3 }, 0.4, 0.7, 1 / 0.7 + 0.4,
        1 / 0.3 - 0.4)
  tooth("table", bm.potential.piecewise_linear { V0 = 1, L = 4, x = { -2, -1, 0, 1 }, V = { 2, 3, 0, 2 } }, 0, 0, 3, 2)

  -- Jumps of forces in systems: towards 0; walls at |x| = 1; of two variables towards each other; Coulomb's friction,
  -- under which v has Laplace's law; a force on a variable with inertia.
  local function system(numbers)
    local parameters = { mu = 0, wall = 0, pull = 0, coulomb = 0, kick = 0 }
    for name, value in pairs(numbers) do parameters[name] = value end
    return bm.system {
      variables = { "x", "y", "z", "u" }, parameters = parameters, inertia = { u = { mass = 0.5, gamma = 1 } },
      equations = { x = "-mu*sign(x) - wall*sign(x)*(abs(x) > 1)", y = "-pull*sign(y - z)", z = "pull*sign(y - z)",
                    u = "-coulomb*sign(v_u) - kick*sign(u)" },
      noise = { x = gaussian { name = "of_x", D = 0.5 }, y = gaussian { name = "of_y", D = 0.5 },
                z = gaussian { name = "of_z", D = 0.25 }, u = gaussian { name = "of_u", D = 0.25 } },
    }
  end
  local start = { x = 0, y = 0, z = 0, u = 0 }
  local function run_system(numbers, time)
    return bm.run { model = system(numbers), initial = start, time = time, transient = 0.25, paths = 2048,
                    check_step = false, check_transient = false,  -- what is not pressed towards a jump is free
                    observe = bm.observe.average { x2 = "x^2", apart = "(y - z)^2", v2 = "v_u^2", u2 = "u^2" } }
  end
  local _, between = boltzmann(function(x) return 20 * math.max(math.abs(x) - 1, 0) end, 0.5, 3)
  local _, v2 = boltzmann(function(v) return v ^ 2 / 2 + 4 * math.abs(v) end, 0.25 / 0.5, 2)
  check("towards 0", run_system({ mu = 10 }, 0.4), "x2", 2 * 0.05 ^ 2, 0.02)
  check("walls", run_system({ wall = 20 }, 8), "x2", between, 0.02)
  check("towards each other", run_system({ pull = 10 }, 0.4), "apart", 2 * (0.75 / 20) ^ 2, 0.02)
  check("Coulomb", run_system({ coulomb = 4 }, 3), "v2", v2, 0.02)
  check("inertia", run_system({ kick = 5 }, 15), "u2", 2 * (0.25 / 5) ^ 2, 0.03)

  -- A dt that is too long for a layer is named, and the step that would do is right.
  local V = bm.potential.formula { formula, a = 20, b = 20, k = 0, c = 0 }
  local m = bm.overdamped { potential = V, noise = gaussian { D = 0.5 } }
  local function with_step(dt)
    return bm.run { model = m, initial = { x = 0 }, time = 0.4, transient = 0.25, paths = 4096, dt = dt,
                    check_step = false, observe = averages }
  end
  local warned = with_step(0.01)
  assert(#warned.info.warnings == 1 and warned.info.warnings[1]:find("D/f^2 at a kink", 1, true), "no warning")
  check("cure", with_step(tonumber(warned.info.warnings[1]:match "dt = (%S+) would do")), "size", 0.025, 0.02)

  -- Forces that bend, and do not jump, ask for no step that is far shorter than their relaxation takes: dead zones.
  local zones = bm.system {
    variables = { "x", "y" }, parameters = { k = 200, a = 1 },
    equations = { x = "-k*max(abs(x) - a, 0)*sign(x)", y = "-k*max(y, 0) + k/4*max(-y, 0) + x" },
    noise = { x = gaussian { name = "of_x", D = 0.5 }, y = gaussian { name = "of_y", D = 0.5 } },
  }
  local _, zone = boltzmann(function(x) return 100 * math.max(math.abs(x) - 1, 0) ^ 2 end, 0.5, 2)
  for _, dt in ipairs { false, 5e-4 } do
    local r = bm.run { model = zones, initial = { x = 0 }, time = 8, transient = 0.25, paths = 1024, dt = dt or nil,
                       observe = bm.observe.average { x2 = "x^2" } }
    assert(r:column "dt"[1] > 2e-4, ("dead zones: dt = %g"):format(r:column "dt"[1]))
    check("dead zones", r, "x2", zone, 0.02)
  end
  for _, soft in ipairs { "k*max(abs(x) - 1, 0)^2/2", "k*max(x, 0)^2/2 + k*min(x, 0)^2/8" } do
    local r = bm.run { model = bm.overdamped { potential = bm.potential.formula { soft, k = 200 },
                                               noise = gaussian { D = 0.5 } },
                       initial = { x = 0 }, time = 0.1, paths = 16, check_step = false, observe = averages }
    assert(r:column "dt"[1] > 2e-4, ("%s: dt = %g"):format(soft, r:column "dt"[1]))
  end

  -- Levy noise in V = x^4/4: no smaller step keeps all paths, and none is advised.
  local ok, failed = pcall(bm.run, {
    model = bm.overdamped { potential = bm.potential.formula { "x^4/4" },
                            noise = bm.noise.levy { alpha = 1, scale = 1 } },
    initial = { x = 0 }, time = 50, paths = 64,
  })
  assert(not ok and tostring(failed):find("give walls, or forces that grow no faster", 1, true), failed)

  -- What heat does not see: a motor in kicks, with next to no heat, moves as without any.
  local function motor(D)
    return bm.run { model = bm.overdamped { potential = bm.potential.piecewise_linear {},
                                            noise = { bm.noise.poisson { a = 1.2, D = 4 }, gaussian { D = D } } },
                    periods = 10, paths = 16, check_step = false, observe = "velocity" }:column "dt"[1]
  end
  assert(motor(1e-8) > motor(0.5) / 8, ("kicks and little heat: dt = %g"):format(motor(1e-8)))

  -- With inertia the density of a variable of a system, within a step of a jump: default steps are shorter for those
  -- who look at it, and for no others.
  local pressed = bm.system { variables = { "x", "y" }, inertia = { x = { mass = 1, gamma = 1 } },
                              equations = { x = "-3*sign(x)", y = "-y" },
                              noise = { x = gaussian { name = "of_x", D = 1 }, y = gaussian { name = "of_y", D = 1 } } }
  local function about_jump(observe, paths)
    return bm.run { model = pressed, initial = { x = 0, y = 0 }, time = 20, transient = 0.5, paths = paths,
                    check_step = false, observe = observe }
  end
  local bins = bm.observe.density { of = "x", bins = 4, range = { -0.04, 0.04 }, count = 200 }
  local r = about_jump(bins, 16384)
  for _, bin in ipairs { 2, 3 } do
    local p, err = r:array "density_x".values[1][bin], r:array "density_x_err".values[1][bin]
    near("density of a system with inertia", p, err, (1 - math.exp(-0.06)) / 0.04, 0.01)
  end
  assert(about_jump(bm.observe.average { x2 = "x^2" }, 16):column "dt"[1] > 3 * r:column "dt"[1], "no shorter step")
end

-- Steps over a kink: 0.4 % of error is seen where it is eight standard errors and more.
do
  local motor = bm.overdamped { potential = bm.potential.piecewise_linear {},
    noise = bm.noise.poisson { a = 1.2, D = 4 } }
  local r = bm.run { model = motor, method = "heun", spp = 100, periods = 500, paths = 24576 }
  local exact = bm.theory.poisson_velocity { model = motor }
  local off, err = r:column "velocity"[1] - exact, r:column "velocity_err"[1]
  assert(math.abs(off) > 5 * err, "the error of the step is not seen in this run")
  assert(r:column "step_warning"[1] == 1 and #r.info.warnings == 1, "no warning")
  local seen, seen_err = r:column "velocity_step_seen"[1], r:column "velocity_step_seen_err"[1]
  assert(seen * off > 0 and math.abs(seen) > 3 * seen_err, ("seen %g +- %g of %g"):format(seen, seen_err, off))
end

-- A Lyapunov exponent in a potential with kinks would be that of no potential: it is refused, and says why.
do
  local kinks = bm.potential.piecewise_linear { V0 = 1, L = 2, k = 0.3 }
  for _, family in ipairs { bm.overdamped, bm.underdamped } do
    local ok, message = pcall(bm.run, {
      model = family { potential = kinks, noise = bm.noise.gaussian { D = 0.3 }, force = 0.4 },
      dt = 0.01, time = 10, paths = 64, observe = "lyapunov",
    })
    assert(not ok)
    assert(tostring(message):find("observe.lyapunov: V' must be continuous", 1, true), tostring(message))
  end
end
