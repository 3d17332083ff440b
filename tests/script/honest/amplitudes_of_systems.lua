local bm = require "bmsim"

-- White noise with an amplitude that jumps, in systems. Along its own way, after Ito, a step moves the place of the
-- jump. Where another noise takes paths through a narrow piece, a step may pass it, or make too much of the few times
-- that it is there. Default steps do neither.
do
  local function check(what, value, err, exact, allowed)
    assert(math.abs(value - exact) < 4 * err + allowed * math.abs(exact) and err < 0.05 * math.abs(exact),
           ("%s: %.4g(%.2g), exact %.4g"):format(what, value, err, exact))
  end
  local function of(r, name) return r:column(name)[1], r:column(name .. "_err")[1] end

  -- A law of one number: that of b^-2 exp(integral of force/(D b^2)), of which the average is taken.
  local function average(force, b, D, g, from, to)
    local n, integral, all, sum = 400000, 0, 0, 0
    local step = (to - from) / n
    for i = 1, n do
      local u = from + (i - 0.5) * step
      local change = force(u) / (D * b(u)^2) * step
      local density = math.exp(integral + change / 2) / b(u)^2
      integral, all, sum = integral + change, all + density, sum + density * g(u)
    end
    return sum / all
  end
  local function gaussian(name, D, amplitude) return bm.noise.gaussian { name = name, D = D, amplitude = amplitude } end
  local function system(x, y, noise_of_x, noise_of_y, walls)
    return bm.system { variables = { "x", "y" }, equations = { x = x, y = y }, interpretation = "ito", walls = walls,
                       noise = { x = noise_of_x, y = noise_of_y } }
  end

  -- beside a variable that has nothing to do with it, and one that follows it
  for _, y in ipairs { "-y", "x - y" } do
    local r = bm.run { model = system("0", y, gaussian("of_x", 0.1, "if(abs(x - 0.3137) < 0.1, 0.3, 1)"),
                                      gaussian("of_y", 0.5), { x = { "reflect", from = -1, to = 1 } }),
                       initial = { x = 0.3137, y = 0 }, time = 60, transient = 0.3, paths = 512,
                       observe = bm.observe.average { near = "abs(x - 0.3137) < 0.1" } }
    local value, err = of(r, "near")
    check("box, y' = " .. y, value, err, 0.1 / 0.09 / (0.1 / 0.09 + 0.9), 0.02)
  end

  -- one jump, in a trap, alone and in a system: averages, and narrow ones beside the jump
  local function half(x) return x > 0 and 0.5 or 1 end
  local function towards_0(x) return -x end
  local exact = average(towards_0, half, 1, function(x) return x > 0 and 1 or 0 end, -6, 6)
  local exact_near = average(towards_0, half, 1, function(x) return math.abs(x) < 0.1 and 1 or 0 end, -6, 6)
  for name, model in pairs {
    alone = bm.overdamped { interpretation = "ito", potential = bm.potential.harmonic { k = 1 },
                            noise = gaussian("of_x", 1, "if(x > 0, 0.5, 1)") },
    system = system("-x", "-y", gaussian("of_x", 1, "if(x > 0, 0.5, 1)"), gaussian("of_y", 0.5)) } do
    local r = bm.run { model = model, initial = { x = 0 }, time = 40, transient = 0.3, paths = 1024,
                       observe = bm.observe.average { right = "x > 0" } }
    local value, err = of(r, "right")
    check(name .. ", one jump", value, err, exact, 0.01)
    r = bm.run { model = model, initial = { x = 0 }, time = 20, transient = 0.3, paths = 1024,
                 observe = bm.observe.average { near = "abs(x) < 0.1" } }
    value, err = of(r, "near")
    check(name .. ", near one jump", value, err, exact_near, 0.015)
  end

  -- across a surface of two variables: of u = x - y the law is one of a single number
  local function of_u(u) return math.sqrt((math.abs(u) < 0.1 and 0.1 or 1)^2 + 0.09) end
  local r = bm.run { model = system("-x", "-y", gaussian("of_x", 1, "if(abs(x - y) < 0.1, 0.1, 1)"),
                                    gaussian("of_y", 0.09)),
                     initial = { x = 0, y = 0 }, time = 20, transient = 0.3, paths = 256,
                     observe = bm.observe.average { near = "abs(x - y) < 0.1", square = "(x - y)^2" } }
  local value, err = of(r, "near")
  check("near y", value, err, average(towards_0, of_u, 1, function(u) return math.abs(u) < 0.1 and 1 or 0 end, -6, 6),
        0.02)
  value, err = of(r, "square")
  check("distance", value, err, average(towards_0, of_u, 1, function(u) return u * u end, -6, 6), 0.02)

  -- The noise of x is strong in a window of y. M[n](y), the mean of x^n at y times the density p of y, is known from
  -- M[n-2]: 0 = -n M[n] + n (n-1) D b^2 M[n-2] + (y M[n])' + D M[n]'', here on a grid.
  local function moments(D, w, place, inside)
    local n, from, to = 16000, -6 * math.sqrt(D), 6 * math.sqrt(D)
    local h = (to - from) / n
    local M = { [0] = {} }
    local square = {}
    for i = 1, n do
      local y = from + (i - 0.5) * h
      M[0][i] = math.exp(-y * y / (2 * D)) / math.sqrt(2 * math.pi * D)
      local part = math.max(0, math.min(y + h / 2, place + w) - math.max(y - h / 2, place - w)) / h
      square[i] = 1 + part * (inside^2 - 1)
    end
    for k = 2, 4, 2 do
      local a, b, c, d = {}, {}, {}, {}
      for i = 1, n do a[i], b[i], c[i], d[i] = 0, -k, 0, -k * (k - 1) * D * square[i] * M[k - 2][i] end
      for i = 1, n - 1 do  -- the flux between two cells
        local y = from + i * h
        local up, down = (D / h + y / 2) / h, (D / h - y / 2) / h  -- of M[i+1], of M[i]
        b[i], c[i] = b[i] - down, c[i] + up
        b[i + 1], a[i + 1] = b[i + 1] - up, a[i + 1] + down
      end
      for i = 2, n do
        local m = a[i] / b[i - 1]
        b[i], d[i] = b[i] - m * c[i - 1], d[i] - m * d[i - 1]
      end
      M[k] = { [n] = d[n] / b[n] }
      for i = n - 1, 1, -1 do M[k][i] = (d[i] - c[i] * M[k][i + 1]) / b[i] end
    end
    local all = { 0, 0, 0, near = 0 }
    for i = 1, n do
      local part = (square[i] - 1) / (inside^2 - 1)
      all[2], all[4] = (all[2] or 0) + h * M[2][i], (all[4] or 0) + h * M[4][i]
      all.near = all.near + h * M[2][i] * part
    end
    return all
  end
  for _, w in ipairs { 0.1, 0.01 } do
    r = bm.run { model = system("-x", "-y", gaussian("of_x", 0.5, ("if(abs(y - 0.3137) < %g, 10, 1)"):format(w)),
                                gaussian("of_y", 0.5)),
                 initial = { x = 0, y = 0.3 }, time = 40, transient = 0.3, paths = 2048,
                 observe = bm.observe.average { square = "x^2", fourth = "x^4",
                                                near = ("x^2*(abs(y - 0.3137) < %g)"):format(w) } }
    local known = moments(0.5, w, 0.3137, 10)
    value, err = of(r, "square")
    check("x^2", value, err, known[2], 0.01)
    value, err = of(r, "fourth")
    check("x^4", value, err, known[4], 0.02)
    value, err = of(r, "near")
    check("x^2 in the window", value, err, known.near, 0.02)
  end
end

-- Forces that act only in a narrow piece between two jumps, in systems: a step of energy, met along the variable's own
-- way, across a surface of two variables, with inertia; and in a piece that another variable passes. Samples of paths
-- miss them.
do
  local function check(what, r, name, exact, allowed)
    local value, err = r:column(name)[1], r:column(name .. "_err")[1]
    assert(math.abs(value - exact) < 4 * err + allowed * math.abs(exact) and err < 0.03 * math.abs(exact),
           ("%s, %s: %.4g(%.2g), exact %.4g"):format(what, name, value, err, exact))
  end
  local function gaussian(name, D) return bm.noise.gaussian { name = name, D = D } end

  -- Boltzmann's law: the energy falls by h at c, within 2w of it
  local w, h, c = 0.01, 4, 0.3137
  local function average(g, D)
    local n, all, sum = 400000, 0, 0
    for i = 1, n do
      local x = -7 + 14 * (i - 0.5) / n
      local density = math.exp(-(x * x / 2 - h * math.max(0, math.min(1, (x - c) / (2 * w) + 0.5))) / D)
      all, sum = all + density, sum + density * g(x)
    end
    return sum / all
  end
  local function is_right(x) return x > c and 1 or 0 end
  local function itself(x) return x end
  local force = ("if(abs(x - %g) < %g, %g, 0)"):format(c, w, h / (2 * w))
  local energy = ("x^2/2 - %g*max(0, min(1, (x - %g)/%g + 0.5))"):format(h, c, 2 * w)
  local models = {
    equation = { equations = { x = "-x + " .. force, y = "x - y" } },
    potential = { equations = { y = "-y" }, potential = { x = bm.potential.formula { energy } } },
  }
  for name, fields in pairs(models) do
    fields.variables, fields.noise = { "x", "y" }, { x = gaussian("of_x", 1), y = gaussian("of_y", 1) }
    local r = bm.run { model = bm.system(fields), initial = { x = 0, y = 0 }, time = 20, transient = 0.3, paths = 128,
                       observe = bm.observe.average { right = ("x > %g"):format(c), mean = "x" } }
    check(name, r, "right", average(is_right, 1), 0.01)
    check(name, r, "mean", average(itself, 1), 0.01)
  end

  -- of u = x - y, with the noise of both
  local r = bm.run { model = bm.system { variables = { "x", "y" },
                                         equations = { x = "-x + " .. force:gsub("x", "(x - y)"), y = "-y" },
                                         noise = { x = gaussian("of_x", 0.6), y = gaussian("of_y", 0.4) } },
                     initial = { x = 0, y = 0 }, time = 20, transient = 0.3, paths = 128,
                     observe = bm.observe.average { right = ("x - y > %g"):format(c), mean = "x - y" } }
  check("between two", r, "right", average(is_right, 1), 0.01)
  check("between two", r, "mean", average(itself, 1), 0.01)

  r = bm.run { model = bm.system { variables = { "x", "y" }, equations = { x = "-x + " .. force, y = "-y" },
                                   inertia = { x = { mass = 1, gamma = 1 } },
                                   noise = { x = bm.noise.gaussian { name = "of_x", T = 1 }, y = gaussian("of_y",
                                     1) } },
               initial = { x = 0, y = 0 }, time = 60, transient = 0.3, paths = 384,
               observe = bm.observe.average { right = ("x > %g"):format(c), square = "v_x^2" } }
  check("inertia", r, "right", average(is_right, 1), 0.01)
  check("inertia", r, "square", 1, 0.015)

  -- In a window of y x is pushed by F. M[n](y), the mean of x^n at y times the density of y, is known from M[n-1] and
  -- M[n-2]: 0 = -n M[n] + n F M[n-1] + n (n-1) D M[n-2] + (y M[n])' + D M[n]'', here on a grid.
  local function moments(D, width, F)
    local n, from, to = 20000, -6 * math.sqrt(D), 6 * math.sqrt(D)
    local step = (to - from) / n
    local M, push = { [0] = {} }, {}
    for i = 1, n do
      local y = from + (i - 0.5) * step
      M[0][i] = math.exp(-y * y / (2 * D)) / math.sqrt(2 * math.pi * D)
      push[i] = F * math.max(0, math.min(y + step / 2, c + width) - math.max(y - step / 2, c - width)) / step
    end
    local all = {}
    for k = 1, 4 do
      local a, b, g, d = {}, {}, {}, {}
      for i = 1, n do
        a[i], b[i], g[i] = 0, -k, 0
        d[i] = -k * push[i] * M[k - 1][i] - (k > 1 and k * (k - 1) * D * M[k - 2][i] or 0)
      end
      for i = 1, n - 1 do  -- the flux between two cells
        local y = from + i * step
        local up, down = (D / step + y / 2) / step, (D / step - y / 2) / step
        b[i], g[i] = b[i] - down, g[i] + up
        b[i + 1], a[i + 1] = b[i + 1] - up, a[i + 1] + down
      end
      for i = 2, n do
        local m = a[i] / b[i - 1]
        b[i], d[i] = b[i] - m * g[i - 1], d[i] - m * d[i - 1]
      end
      M[k] = { [n] = d[n] / b[n] }
      for i = n - 1, 1, -1 do M[k][i] = (d[i] - g[i] * M[k][i + 1]) / b[i] end
      all[k] = 0
      for i = 1, n do all[k] = all[k] + step * M[k][i] end
    end
    return all
  end
  for _, width in ipairs { 0.1, 0.01, 0.001 } do
    local F = 0.5 / width
    local known = moments(0.5, width, F)
    r = bm.run { model = bm.system { variables = { "x", "y" },
                                     equations = { x = ("-x + if(abs(y - %g) < %g, %g, 0)"):format(c, width, F),
                                                   y = "-y" },
                                     noise = { x = gaussian("of_x", 0.5), y = gaussian("of_y", 0.5) } },
                 initial = { x = 0, y = c }, time = 40, transient = 0.3, paths = 2048,
                 observe = bm.observe.average { mean = "x", square = "x^2", fourth = "x^4" } }
    local what = ("window of %g"):format(width)
    check(what, r, "mean", known[1], 0.01)
    check(what, r, "square", known[2], 0.01)
    check(what, r, "fourth", known[4], 0.02)
  end
end
