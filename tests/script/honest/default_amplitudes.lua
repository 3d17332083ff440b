-- The default step of noise with a weak amplitude, in a motion that asks for nothing else: noise must not cross the
-- structure of the amplitude within a step, which it averages then.
local bm = require "bmsim"

-- Free on a ring the density is in proportion to b^-p, p = 2 with Ito, 0 with anti-Ito; of b = 1 + c cos(2 pi x) the
-- mean of the cosine is -c with p = 2.
local function check(model, interpretation, c, exact)
  local r = bm.run { model = model, paths = 4096, time = 20, transient = 0.5,
                     observe = bm.observe.average { g = "cos(2*pi*x)" } }
  local value, err = r:column "g"[1], r:column "g_err"[1]
  assert(math.abs(value - exact) < 0.02 * c + 4 * err and err < 0.02,
         ("%s, c = %g: %.4g(%.2g), exact %.4g"):format(interpretation, c, value, err, exact))
end
local amplitude = "1 + c*cos(2*pi*x)"
for _, one in ipairs { { "ito", 0.1, -0.1 }, { "ito", 0.2, -0.2 }, { "anti_ito", 0.1, 0 }, { "anti_ito", 0.2, 0 } } do
  local interpretation, c, exact = unpack(one)
  check(bm.overdamped { noise = bm.noise.gaussian { D = 0.5, amplitude = bm.formula { amplitude, c = c } },
                        interpretation = interpretation }, interpretation, c, exact)
end

-- A system: in a trap the density is in proportion to b^-p exp(-integral of kx/(D b^2)).
local k, D, c = 0.25, 0.5, 0.1
local function b(x) return 1 + c * math.cos(2 * math.pi * x) end
local h, phi, sum, all = 1e-3, 0, 0, 0
for i = 0, 8000 do  -- even
  local x = i * h
  local p = math.exp(-phi) / b(x) ^ 2 * (i == 0 and 0.5 or 1)
  sum, all = sum + p * math.cos(2 * math.pi * x), all + p
  phi = phi + h * k * (x + h / 2) / (D * b(x + h / 2) ^ 2)
end
check(bm.system { variables = { "x" }, equations = { x = "-k*x" }, parameters = { k = k, c = c },
                  noise = { x = bm.noise.gaussian { D = D, amplitude = amplitude } }, interpretation = "ito" },
      "system", c, sum / all)

-- Kinks of an amplitude, where narrow averages see what a step does to the law: in a trap the density is in proportion
-- to b^-p exp(-integral of x/(D b^2)), p = 2, 1, 0.
local function bounded(x) return 1 + math.max(-0.5, math.min(0.5, x)) end
local function cone(x) return 1 + math.abs(x) end
for _, one in ipairs { { "1 + max(-0.5, min(0.5, x))", bounded, "stratonovich", 1, 0.5 },
                       { "1 + max(-0.5, min(0.5, x))", bounded, "anti_ito", 0, 0.5 },
                       { "1 + abs(x)", cone, "ito", 2, 0 } } do
  local text, amplitude_at, interpretation, power, centre = unpack(one)
  local step, inside, whole = 1e-3, 0, 0
  for _, direction in ipairs { -1, 1 } do
    local potential = 0
    for i = 0, 12000 do
      local x = direction * (i + 0.5) * step
      local slope = math.abs(x) / (0.5 * amplitude_at(x) ^ 2)
      local p = math.exp(-potential - slope * step / 2) / amplitude_at(x) ^ power
      potential = potential + slope * step
      whole = whole + p
      if math.abs(x - centre) < 0.1 then inside = inside + p end
    end
  end
  local r = bm.run { model = bm.overdamped { potential = bm.potential.harmonic { k = 1 },
                                             noise = bm.noise.gaussian { D = 0.5, amplitude = text },
                                             interpretation = interpretation },
                     time = 40, paths = 1024, initial = { x = 0 },
                     observe = bm.observe.average { near = ("if(abs(x - %g) < 0.1, 1, 0)"):format(centre) } }
  local value, err, exact = r:column "near"[1], r:column "near_err"[1], inside / whole
  assert(math.abs(value - exact) < 0.02 * exact + 4 * err and err < 0.01 * exact,
         ("%s, %s: %.4g(%.2g), exact %.4g"):format(text, interpretation, value, err, exact))
end

-- And in a density of a system, beside a variable that has nothing to do with it.
local step, density, whole = 1e-3, {}, 0
local potential = 0
for i = 0, 40000 do
  local x = (i + 0.5) * step
  local slope = x / (0.25 * cone(x) ^ 2)
  density[i] = math.exp(-potential - slope * step / 2) / cone(x)
  potential = potential + slope * step
  whole = whole + 2 * density[i] * step
end
local pair = bm.system { variables = { "x", "y" }, equations = { x = "-x", y = "-y" },
                         noise = { x = bm.noise.gaussian { name = "of_x", D = 0.25, amplitude = "1 + abs(x)" },
                                   y = bm.noise.gaussian { name = "of_y", D = 1 } } }
local r = bm.run { model = pair,
                   initial = { x = 0, y = 0 }, time = 10, transient = 0.4, paths = 2048,
                   observe = bm.observe.density { of = "x", bins = 20, range = { -0.25, 0.25 } } }
for _, bin in ipairs { 10, 11 } do
  local value, err = r:array "density_x".values[1][bin], r:array "density_x_err".values[1][bin]
  local exact = 0
  for i = 0, 24 do exact = exact + density[i] / 25 / whole end
  assert(math.abs(value - exact) < 0.02 * exact + 3 * err and err < 0.02 * exact,
         ("density of a system: %.4g(%.2g), exact %.4g"):format(value, err, exact))
end
