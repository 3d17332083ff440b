-- Exits from a box: paths diffuse from x0 and end at walls at -1 and 1. The fraction of paths that are left after a
-- time t is a sum of sines, of which the first remains at late times: S(t) = sum over odd k of (4/k pi) sin(k pi (1 +
-- x0)/2) exp(-D (k pi/2)^2 t). S. Redner, A Guide to First-Passage Processes (Cambridge 2001).
local bm = require "bmsim"
local x0 = 0.5

local r = bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian { D = 1 }, walls = { x = { "absorb", from = -1, to = 1 } } },
  sweep = { "gaussian.D", { 0.25, 0.5, 1 } }, initial = { x = x0 }, transient = 0, time = 30,
  paths = bm.args.paths or bm.args.full and 1048576 or 16384,
  observe = bm.observe.exits { bins = 24, longest = 3 },
}
r:add("exact", function(p) return (1 - x0 ^ 2) / (2 * p.gaussian.D) end)
r:add("exact_above", function() return (1 + x0) / 2 end)
r:print { "gaussian.D", "mean_exit_time", "mean_exit_time_err", "exact", "exit_above", "exit_above_err", "exact_above" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  local function survival(p, t)
    local sum = 0
    for k = 1, 99, 2 do
      local q = k * math.pi / 2
      sum = sum + 2 / q * math.sin(q * (1 + x0)) * math.exp(-p.gaussian.D * q * q * t)
    end
    return sum
  end
  r:plot { array = "survival_probability", theory = survival, log = "y", xlabel = "{/:Italic t}",
           ylabel = "{/:Italic S}({/:Italic t})", file = bm.args.plot }
end
local largest = 0
for p in r:rows() do
  largest = math.max(largest, math.abs(p.mean_exit_time - p.exact) / p.mean_exit_time_err,
    math.abs(p.exit_above - p.exact_above) / p.exit_above_err)
end
print(("largest deviation: %.2f standard errors"):format(largest))
