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
