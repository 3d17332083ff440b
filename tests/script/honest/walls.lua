-- Between walls.
local bm = require "bmsim"

-- The default step between walls that reflect noise with an amplitude, and forces and amplitudes that are not defined
-- beyond a wall.
do
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

  -- Above a wall, and in a box, the density is in proportion to exp(-f x/D), up to the walls, in bins far narrower than
  -- a step is long.
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
end

-- Default steps in a box where forces that change with time press paths to the walls: drives, formulas of t, noises
-- with states or memory. All must resolve D/f^2, in which the density at a wall is made.
do
  local gaussian = bm.noise.gaussian
  local D, F, omega = 0.3, 10, 0.5

  local function squares(model, dt, paths, seed)
    local r = bm.run { model = model, dt = dt, paths = paths, seed = seed, time = 13, transient = 0.05,
                       initial = { x = 0.2 }, observe = bm.observe.average { x2 = "x^2" }, check_transient = false,
                       check_step = false }
    return r:column "x2"[1], r:column "x2_err"[1], r:column "dt"[1]
  end
  local function check(what, model)
    local value, err, dt = squares(model, nil, 1024, 1)
    local exact, exact_err = squares(model, 0.1 * D / F ^ 2, 256, 2)
    assert(dt < 2.5 * D / F ^ 2, ("%s: dt = %g"):format(what, dt))
    assert(math.abs(value - exact) < 0.006 + 4 * math.sqrt(err ^ 2 + exact_err ^ 2),
           ("%s: <x^2> = %.4g(%.1g), exact %.4g(%.1g)"):format(what, value, err, exact, exact_err))
  end

  local walls = { x = { "reflect", from = -1, to = 1 } }
  local white = gaussian { D = D }
  local function driven(drive) return bm.overdamped { noise = white, drive = drive, walls = walls } end
  check("cosine", driven(bm.drive.cosine { amplitude = F, omega = omega }))
  check("formula", driven(bm.drive.formula { ("%g*sin(%g*t)"):format(F, omega) }))
  check("equation", bm.system { variables = { "x" }, equations = { x = ("%g*sin(%g*t)"):format(F, omega) },
                                noise = { x = white }, walls = walls })
  local function pushed(noise) return bm.overdamped { noise = { white, noise }, walls = walls } end
  check("two states", pushed(bm.noise.dichotomous { Fa = F, Fb = F, mu_a = 0.4, mu_b = 0.4 }))
  check("memory", pushed(bm.noise.ornstein_uhlenbeck { sigma = F, tau = 2 }))

  -- What presses nothing to a wall asks for nothing.
  local _, _, dt = squares(driven(bm.drive.cosine { amplitude = 0.1, omega = omega }), nil, 64, 1)
  assert(dt > 0.02, ("a weak drive: dt = %g"):format(dt))
end

-- Forces that are not the same on both sides of a wall, at the default step.
do
  local gaussian = bm.noise.gaussian
  local function check(what, r, name, exact, part)
    local value, err = r:column(name)[1], r:column(name .. "_err")[1]
    assert(math.abs(value - exact) < part * exact + 4 * err and err < part * exact,
           ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
  end

  -- Forces that jump at a wall itself: paths only know the side on which they are. Both ways round, as equations and as
  -- kinks of V; the mean distance from the wall is D/f.
  local function at_wall(what, model, pressing, options)
    options.model, options.paths, options.initial = model, 2048, { x = 0.5 / pressing }
    options.observe = bm.observe.average { x = "x" }
    local found = bm.run(options)
    assert(#found.info.warnings == 0, what .. ": " .. table.concat(found.info.warnings, "; "))
    check(what, found, "x", 0.5 / pressing, 0.02)
  end
  local above = { x = { "reflect", from = 0 } }
  for _, text in ipairs { "-if(x > 0, f, g)", "-if(x >= 0, f, g)" } do
    for _, sides in ipairs { { 30, 1 }, { 1, 30 }, { 1, -30 } } do
      local pressing, other = unpack(sides)
      at_wall(text, bm.system { variables = { "x" }, equations = { x = text }, parameters = { f = pressing, g = other },
                                noise = { x = gaussian { D = 0.5 } }, walls = above }, pressing,
              { time = 20 / pressing, check_transient = false, dt = pressing == 1 and 0.005 or nil })
    end
  end
  at_wall("V", bm.overdamped { potential = bm.potential.formula { "if(x > 0, f*x, x)", f = 30 },
                               noise = gaussian { D = 0.5 }, walls = above }, 30, { time = 1 })

  -- With inertia a path is behind the wall until its step ends: what a force is there does not matter.
  local function bounce(what, force, wall, distance, options)
    local model = bm.system {
      variables = { "y", "x" }, inertia = { x = true, y = options.method == nil or nil },
      noise = { x = gaussian { T = 0.5 } },
      equations = { x = force, y = "-y" }, walls = { x = wall },
    }
    options.model, options.time, options.transient, options.paths = model, 20, 0.4, 1024
    options.observe = bm.observe.average { d = distance, v2 = "v_x^2" }
    local found = bm.run(options)
    assert(#found.info.warnings == 0, what .. ": " .. table.concat(found.info.warnings, "; "))
    check(what, found, "d", 0.05, 0.02)
    check(what, found, "v2", 0.5, 0.02)
  end
  bounce("|1 - x|", "10*sign(1 - x)", { "reflect", from = -1, to = 1 }, "1 - x", { initial = { x = 0.95 } })
  bounce("heun", "-if(x > 0, 10, 1)", { "reflect", from = 0 }, "x", { initial = { x = 0.05 }, method = "heun" })
  bounce("undefined", "-if(x > 0, 10, sqrt(x))", { "reflect", from = 0 }, "x", { initial = { x = 0.05 } })
end

-- Noise whose amplitude vanishes at a wall, or is not defined beyond it, at the default step: means are exact, also
-- where paths are at the wall most of the time and the density diverges there.
do
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
end
