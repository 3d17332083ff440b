-- A neuron that integrates and fires, x' = mu - x + sqrt(2 D) xi: at x = 1 it fires, and begins again at 0. Its rate
-- against the current mu: below mu = 1 only noise makes it fire; above, noise matters less and less. Exact: 1/rate is
-- the integral of exp(-w^2) [exp(2 b w) - exp(2 a w)]/w over w > 0, a = -mu/sqrt(2 D), b = (1 - mu)/sqrt(2 D) (A. J. F.
-- Siegert, Phys. Rev. 81, 617, 1951; N. Brunel, J. Comput. Neurosci. 8, 183, 2000).
local bm = require "bmsim"

local r = bm.run {
  model = bm.system {
    variables = { "x" }, equations = { x = "mu - x" }, parameters = { mu = 1 }, noise = { x = bm.noise.gaussian {} },
    events = { fire = { when = "x - 1", direction = "up", set = { x = "0" } } },
  },
  sweep = { { "gaussian.D", { 0.005, 0.02, 0.1 } }, { "mu", bm.linspace(0.7, 1.4, bm.args.points or 8) } },
  initial = { x = 0 }, transient = 0.2, time = bm.args.time or 100,
  dt = bm.args.full and 0.0005 or 0.002, paths = bm.args.paths or bm.args.full and 262144 or 2048,
  observe = bm.observe.events {},
}

local function exact(p)  -- by Simpson's rule
  local s, n = math.sqrt(2 * p.gaussian.D), 4000
  local a, b = -p.mu / s, (1 - p.mu) / s
  local h, sum = (math.abs(b) + 8) / n, 2 * (b - a)
  for i = 1, n do
    local w = i * h
    local weight = i == n and 1 or i % 2 == 1 and 4 or 2
    sum = sum + weight * (math.exp(2 * b * w - w * w) - math.exp(2 * a * w - w * w)) / w
  end
  return 3 / (sum * h)
end

r:add("exact", exact)
r:add("z", function(p) return (p.fire_rate - p.exact) / p.fire_rate_err end)
r:print { "gaussian.D", "mu", "fire_rate", "fire_rate_err", "exact", "z", "fire_fano", "fire_fano_err" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "mu", y = "fire_rate", group = "gaussian.D", theory = "exact", xlabel = "{/Symbol m}",
           ylabel = "firing rate", file = bm.args.plot }
end
local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
