-- Search with resetting: a particle diffuses from x = 0 to a target at x = l, and is taken back to 0 at rate r. The
-- mean time to the target, (exp(q l) - 1)/r with q = sqrt(r/D), has a minimum where q l = 1.5936; without resetting it
-- is infinite. M. R. Evans, S. N. Majumdar, Phys. Rev. Lett. 106, 160601 (2011).
local bm = require "bmsim"
local D, l = 0.5, 1

local r = bm.run {
  model = bm.overdamped {
    noise = bm.noise.gaussian { D = D },
    events = { reset = { rate = "r", set = { x = "0" }, r = 1 } },
  },
  sweep = { "reset.r", bm.logspace(0.25, 12, bm.args.points or bm.args.full and 24 or 10) },
  initial = { x = 0 }, transient = 0, time = 60, dt = bm.args.full and 2e-5 or 5e-4,
  paths = bm.args.paths or bm.args.full and 1048576 or 4096,
  observe = { bm.observe.first_passage { to = l } },
}
local function mean(rate) return (math.exp(math.sqrt(rate / D) * l) - 1) / rate end
r:add("exact", function(p) return mean(p["reset.r"]) end)
r:add("z", function(p) return (p.mean_first_passage_time - p.exact) / p.mean_first_passage_time_err end)
r:print { "reset.r", "mean_first_passage_time", "mean_first_passage_time_err", "exact", "z" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  local fine = { ["reset.r"] = bm.logspace(0.25, 12, 200), mean_first_passage_time = {} }
  for i, rate in ipairs(fine["reset.r"]) do fine.mean_first_passage_time[i] = mean(rate) end
  r:plot { x = "reset.r", y = "mean_first_passage_time", theory = fine, log = "x", xlabel = "{/:Italic r}",
           ylabel = "mean time to the target", file = bm.args.plot }
end
local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
