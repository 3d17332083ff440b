-- First passage over a barrier: from the left minimum of V = x^4/4 - x^2/2 (barrier 1/4) to the right one, dx = -V' dt
-- + sqrt(2 D) dW. The mean time is exactly T = (1/D) int_-1^1 dy exp(V(y)/D) int_-inf^y dz exp(-V(z)/D) (C. W.
-- Gardiner, Handbook of Stochastic Methods, 5.2), which for D << 1/4 becomes Kramers' 2 pi/sqrt(2) exp(1/(4 D)); the
-- variance is then T^2, as for an exponential law. Runs last five times the mean, so that one path in 150 is still on
-- its way then.
-- A picture: -D plot=FILE.svg; the size of a paper: -D full=1.
local bm = require "bmsim"
local full = bm.args.full

local function V(x) return x ^ 4 / 4 - x ^ 2 / 2 end
local function mean_time(D)
  local n, left, inner, sum = 4000, -4, 0, 0 -- midpoints; below -4 there is nothing
  local h = (1 - left) / n
  for i = 1, n do
    local y = left + (i - 0.5) * h
    local weight = math.exp(-V(y) / D) * h
    if y > -1 then sum = sum + math.exp(V(y) / D) * (inner + weight / 2) * h end
    inner = inner + weight
  end
  return sum / D
end

local r = bm.run {
  model = bm.overdamped { potential = bm.potential.double_well {}, noise = bm.noise.gaussian {} },
  sweep = { "gaussian.D", bm.linspace(0.06, 0.3, bm.args.points or full and 25 or 9) },
  observe = bm.observe.first_passage { from = -1, to = 1, bins = 40 },
  paths = bm.args.paths or full and 262144 or 4096, seed = bm.args.seed or 1,
  dt = full and 0.002 or 0.01, transient = 0,
  time = function(p) return 5 * mean_time(p.gaussian.D) end,
}
r:add("exact", function(p) return mean_time(p.gaussian.D) end)
r:add("kramers", function(p) return math.sqrt(2) * math.pi * math.exp(1 / (4 * p.gaussian.D)) end)
r:print { "gaussian.D", "mean_first_passage_time", "mean_first_passage_time_err", "exact", "kramers",
          "first_passage_variance", "first_passage_censored" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "gaussian.D", y = "mean_first_passage_time", theory = { "exact", "kramers" }, log = "y",
           theory_titles = { "exact", "Kramers" }, file = bm.args.plot }
end

local largest = 0
for p in r:rows() do
  largest = math.max(largest, math.abs(p.mean_first_passage_time - p.exact) / p.mean_first_passage_time_err)
end
print(("largest deviation: %.2f standard errors"):format(largest))
