-- The default step of noise with a weak amplitude, in a motion that asks for nothing else: noise must not cross the
-- structure of the amplitude within a step, which it averages then.
local bm = require "bmsim"

-- Free on a ring the density is in proportion to b^-p, p = 2 with Ito, 0 with anti-Ito; of b = 1 + c cos(2 pi x) the
-- mean of the cosine is -c with p = 2.
for _, one in ipairs { { "ito", 0.1, -0.1 }, { "ito", 0.2, -0.2 }, { "anti_ito", 0.1, 0 }, { "anti_ito", 0.2, 0 } } do
  local interpretation, c, exact = unpack(one)
  local r = bm.run { model = bm.overdamped { noise = bm.noise.gaussian {
                                               D = 0.5, amplitude = bm.formula { "1 + c*cos(2*pi*x)", c = c } },
                                             interpretation = interpretation },
                     paths = 4096, time = 20, observe = bm.observe.average { g = "cos(2*pi*x)" } }
  local value, err = r:column "g"[1], r:column "g_err"[1]
  assert(math.abs(value - exact) < 0.02 * c + 4 * err and err < 0.02,
         ("%s, c = %g: %.4g(%.2g), exact %.4g"):format(interpretation, c, value, err, exact))
end
