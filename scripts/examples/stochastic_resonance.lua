-- Stochastic resonance: dx/dt = x - x^3 + A cos(omega t) + Gaussian noise of intensity D. The mean follows the weak
-- drive, <x(t)> = x1 cos(omega t - phi), and does so most where the noise makes the hopping between the wells about as
-- fast as the drive: the amplification (x1/A)^2 has a maximum over D. P. Jung, P. Haenggi, Phys. Rev. A 44, 8032
-- (1991); L. Gammaitoni et al., Rev. Mod. Phys. 70, 223 (1998): for two states, x1 = (A/D) 2 r/sqrt(4 r^2 + omega^2), r
-- = exp(-1/(4 D))/(pi sqrt 2), the column `two_state`. The theory here is the linear response of the Fokker-Planck
-- equation, exact for A << D.
-- A picture: -D plot=FILE.svg; the size of a paper: -D full=1.
local bm = require "bmsim"
local full = bm.args.full
local A, omega, periods, phases = 0.03, 0.1, full and 40 or 10, 16
local period = 2 * math.pi / omega

local times = {}
for i = 0, periods * phases - 1 do times[i + 1] = (2 + i / phases) * period end -- two periods to forget the start
local r = bm.run {
  model = bm.overdamped {
    potential = bm.potential.double_well {},
    drive = bm.drive.cosine { amplitude = A, omega = omega },
    noise = bm.noise.gaussian { D = 0.1 },
  },
  sweep = { "gaussian.D", bm.logspace(0.07, 0.6, bm.args.points or full and 20 or 10) },
  initial = { x = { mean = 0, sd = 1 } },
  paths = bm.args.paths or full and 65536 or 4096, time = (2 + periods) * period, dt = 0.02,
  observe = bm.observe.moments { times = times },
}

-- The response of one period after the other: its mean and error.
local amplification, err = {}, {}
for point, x in ipairs(r:array("x_cumulant_1").values) do
  local a, b, squares = {}, {}, 0
  for k = 1, periods do
    a[k], b[k] = 0, 0
    for i = 1, phases do
      local turn = 2 * math.pi * i / phases
      a[k] = a[k] + 2 / phases * x[(k - 1) * phases + i] * math.cos(turn)
      b[k] = b[k] + 2 / phases * x[(k - 1) * phases + i] * math.sin(turn)
    end
  end
  local function mean(list)
    local sum = 0
    for _, value in ipairs(list) do sum = sum + value / periods end
    return sum
  end
  local mean_a, mean_b = mean(a), mean(b)
  for k = 1, periods do squares = squares + (a[k] - mean_a) ^ 2 + (b[k] - mean_b) ^ 2 end
  local x1, noise = math.sqrt(mean_a ^ 2 + mean_b ^ 2), math.sqrt(squares / 2 / (periods - 1) / periods)
  amplification[point], err[point] = (x1 / A) ^ 2, 2 * x1 * noise / A ^ 2
end

-- Linear response: p = p0 [1 + A Re q exp(i omega t)], i omega p0 q = [D p0 q']' - p0', on n cells; tridiagonal,
-- complex.
local function response(D)
  local n, L = 800, 6
  local h = L / n
  local function p0(x) return math.exp((x ^ 2 / 2 - x ^ 4 / 4 - 0.25) / D) end
  local cr, ci, dr, di, sum = {}, {}, {}, {}, 0
  local function divide(ar, ai, br, bi)
    local square = br * br + bi * bi
    return (ar * br + ai * bi) / square, (ai * br - ar * bi) / square
  end
  for i = 1, n do -- downwards: lower q[i - 1] + diagonal q[i] + upper q[i + 1] = right
    local x = -L / 2 + (i - 0.5) * h
    local left, right = i > 1 and p0(x - h / 2) or 0, i < n and p0(x + h / 2) or 0
    local lower, upper = D * left / h ^ 2, D * right / h ^ 2
    local br, bi, sr, si = -lower - upper, -omega * p0(x), (right - left) / h, 0
    if i > 1 then
      br, bi = br - lower * cr[i - 1], bi - lower * ci[i - 1]
      sr, si = sr - lower * dr[i - 1], si - lower * di[i - 1]
    end
    cr[i], ci[i] = divide(upper, 0, br, bi)
    dr[i], di[i] = divide(sr, si, br, bi)
    sum = sum + p0(x)
  end
  local qr, qi, xr, xi = 0, 0, 0, 0
  for i = n, 1, -1 do
    qr, qi = dr[i] - cr[i] * qr + ci[i] * qi, di[i] - cr[i] * qi - ci[i] * qr
    local x = -L / 2 + (i - 0.5) * h
    xr, xi = xr + x * p0(x) * qr / sum, xi + x * p0(x) * qi / sum
  end
  return xr ^ 2 + xi ^ 2
end
local function two_state(D)
  local rate = math.exp(-0.25 / D) / (math.pi * math.sqrt(2))
  return (2 * rate / D) ^ 2 / (4 * rate ^ 2 + omega ^ 2)
end

r:add("amplification", amplification):add("amplification_err", err)
r:add("exact", function(p) return response(p.gaussian.D) end)
r:add("two_state", function(p) return two_state(p.gaussian.D) end)
r:add("z", function(p) return (p.amplification - p.exact) / p.amplification_err end)
r:print { "gaussian.D", "amplification", "amplification_err", "exact", "two_state", "z" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  local D, exact = bm.logspace(0.06, 0.7, 100), {}
  for i = 1, #D do exact[i] = response(D[i]) end
  r:plot { x = "gaussian.D", y = "amplification", log = "x", file = bm.args.plot,
           theory = { ["gaussian.D"] = D, amplification = exact },
           ylabel = "({/:Italic x}_1 / {/:Italic A})^2" }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
