-- A motor driven by a temperature that depends on place (M. Buettiker, Z. Phys. B 68, 161, 1987; R. Landauer, J. Stat.
-- Phys. 53, 233, 1988): dx = -V'(x) dt + b(x) dW, V = sin 2 pi x, D(x) = b^2/2 = D0 [1 + a cos(2 pi x + phi)]. The
-- current depends on the interpretation of the product of b and the noise. With A = f + alpha b b', alpha = 0 (Ito),
-- 1/2 (Stratonovich), 1 (anti-Ito), and psi' = -A/D, it is
--   v = L (1 - e^psi(L)) / int_0^L dx e^-psi(x)/D(x) int_x^(x+L) dy e^psi(y)
local bm = require "bmsim"
local points = bm.args.points or 7
local D0, a = 0.5, 0.6

local function exact(phi, alpha) -- trapezoidal rule over two periods
  local n, two_pi = 2000, 2 * math.pi
  local psi, inner, sum = { [0] = 0 }, { [0] = 0 }, 0
  local function D(x) return D0 * (1 + a * math.cos(two_pi * x + phi)) end
  for i = 1, 2 * n do
    local x = (i - 0.5) / n
    local A = -two_pi * math.cos(two_pi * x) - alpha * two_pi * D0 * a * math.sin(two_pi * x + phi)
    psi[i] = psi[i - 1] - A / D(x) / n
    inner[i] = inner[i - 1] + (math.exp(psi[i]) + math.exp(psi[i - 1])) / (2 * n)
  end
  for i = 0, n - 1 do sum = sum + math.exp(-psi[i]) / D(i / n) * (inner[i + n] - inner[i]) / n end
  return (1 - math.exp(psi[n])) / sum
end

local all, largest
for i, word in ipairs { "ito", "stratonovich", "anti_ito" } do
  local noise = bm.noise.gaussian {
    D = D0, amplitude = bm.formula { "sqrt(1 + a*cos(2*pi*x + phi))", a = a, phi = 0 },
  }
  local r = bm.run {
    model = bm.overdamped { potential = bm.potential.sine {}, noise = noise, interpretation = word },
    sweep = { "gaussian.amplitude.phi", bm.linspace(0, 2 * math.pi, points) },
    paths = bm.args.paths or bm.args.full and 65536 or 2048, time = bm.args.time or 20, dt = 0.0002,
  }
  local function velocity(p) return exact(p.gaussian.amplitude.phi, (i - 1) / 2) end
  r:add("exact", velocity)
  r:add("z", function(p) return (p.velocity - p.exact) / p.velocity_err end)
  all = all or r
  for p in r:rows() do largest = math.max(largest or 0, math.abs(p.z)) end
  all:add(word, r:column "velocity"):add(word .. "_err", r:column "velocity_err"):add(word .. "_exact", velocity)
end
all:print { "gaussian.amplitude.phi", "ito", "ito_err", "ito_exact", "stratonovich", "stratonovich_err",
            "stratonovich_exact", "anti_ito", "anti_ito_err", "anti_ito_exact" }
if bm.args.output then all:write(bm.args.output) end
if bm.args.plot then
  all:plot { x = "gaussian.amplitude.phi", y = { "ito", "stratonovich", "anti_ito" },
             theory = { "ito_exact", "stratonovich_exact", "anti_ito_exact" },
             titles = { "Ito", "Stratonovich", "anti-Ito" }, xlabel = "{/:Italic φ}", ylabel = "⟨{/:Italic v}⟩",
             file = bm.args.plot }
end
print(("largest deviation: %.2f standard errors"):format(largest))
