-- Forces that act only in a narrow piece between two jumps, in systems: a step of energy, met along the variable's own
-- way, across a surface of two variables, with inertia; and in a piece that another variable passes. Samples of paths
-- miss them.
local bm = require "bmsim"

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
                                 noise = { x = bm.noise.gaussian { name = "of_x", T = 1 }, y = gaussian("of_y", 1) } },
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
