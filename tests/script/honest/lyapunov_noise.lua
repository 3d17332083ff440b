-- Lyapunov exponents of oscillators that noise drives by its parameters, at the default step, which follows the time in
-- which this noise turns the tangent vector, 1/(2 D)^(1/3) for an undamped oscillator of frequency 1.
local bm = require "bmsim"

-- Of x'' = -E x + x xi, <xi xi> = 2 D delta: with z = v/x, dz = -(z^2 + E) dt + sqrt(2 D) dW, whose mean is the
-- exponent (B. I. Halperin, Phys. Rev. 139, A104, 1965). Damping by gamma shifts E by -gamma^2/4 and the
-- exponent by -gamma/2.
local function exponent(E, D, gamma)
  E = E - gamma ^ 2 / 4
  local above, below, h = 0, 0, 2e-4
  for i = 0, 60000 do -- u = s^2
    local s = (i + 0.5) * h
    local weight = math.exp(-(s ^ 6 / 12 + E * s ^ 2) / D)
    above, below = above + s * s * weight, below + weight
  end
  return above / below / 2 - gamma / 2
end

local function check(what, r, exact)
  local value, err = r:column "lyapunov"[1], r:column "lyapunov_err"[1]
  assert(math.abs(value - exact) < 0.012 * exact + 4 * err and err < 0.01 * exact,
         ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
end
for _, case in ipairs { { 1, 3, 0 }, { 1, 20, 0 }, { 0.1, 1, 0 }, { 1, 10, 0.5 } } do
  local E, D, gamma = unpack(case)
  local model = bm.system {
    variables = { "x" }, inertia = { x = { gamma = gamma } }, equations = { x = "-E*x" }, parameters = { E = E },
    noise = { x = bm.noise.gaussian { D = D, amplitude = "x" } },
  }
  local r = bm.run { model = model, time = 60 / (1 + D / 10), paths = 4096, transient = 0.1, initial = { x = 1 },
                     observe = "lyapunov" }
  check(("E = %g, D = %g, gamma = %g"):format(E, D, gamma), r, exponent(E, D, gamma))
end
-- The same without inertia, as two variables of the first order; and in other units of time and length.
local first = bm.system {
  variables = { "x", "p" }, equations = { x = "20*p", p = "-20*x" },
  noise = { p = bm.noise.gaussian { D = 60, amplitude = "x" } },
}
check("two variables", bm.run { model = first, time = 2, paths = 2048, transient = 0.1, initial = { x = 1 },
                                observe = "lyapunov" },
      20 * exponent(1, 3, 0))
