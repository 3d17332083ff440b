-- Geometric Brownian motion, growth at a rate that fluctuates: dx = mu x dt + s x dW. The noise is multiplied by x, and
-- its interpretation decides how fast the mean grows: <x> = x0 exp[(mu + alpha s^2) t], alpha = 0 (Ito), 1/2
-- (Stratonovich), 1 (anti-Ito). With mu < 0 it decays by Ito and grows by the others. The variance is
-- <x>^2 [exp(s^2 t) - 1] for all three. N. G. van Kampen, J. Stat. Phys. 24, 175 (1981).
local bm = require "bmsim"
local mu, s, x0, longest = -0.1, 0.5, 1, 4

local words, all, largest = { "ito", "stratonovich", "anti_ito" }, nil, 0
local fine = { time = bm.linspace(0, longest, 101), mean_ito = {}, mean_stratonovich = {}, mean_anti_ito = {} }
for i, word in ipairs(words) do
  local r = bm.run {
    model = bm.system {
      variables = { "x" }, equations = { x = "mu*x" }, parameters = { mu = mu },
      noise = { x = bm.noise.gaussian { D = 0.5, amplitude = bm.formula { "s*x", s = s } } }, -- D = 1/2: that of dW
      interpretation = word,
    },
    sweep = { "time", bm.linspace(longest / 8, longest, bm.args.points or bm.args.full and 16 or 8) },
    initial = { x = x0 }, transient = 0, check_transient = false, dt = bm.args.full and 0.002 or 0.01,
    paths = bm.args.paths or bm.args.full and 1048576 or 32768,
    observe = "velocity",
  }
  local rate = mu + (i - 1) / 2 * s ^ 2
  local function mean(t) return x0 * math.exp(rate * t) end
  r:add("mean", function(p) return x0 + p.velocity_x * p.time end) -- the mean velocity from 0 to t, times t
  r:add("mean_err", function(p) return p.velocity_x_err * p.time end)
  r:add("exact", function(p) return mean(p.time) end)
  r:add("z", function(p) return (p.mean - p.exact) / p.mean_err end)
  for k, t in ipairs(fine.time) do fine["mean_" .. word][k] = mean(t) end
  for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
  all = all or r
  all:add("mean_" .. word, r:column "mean"):add("mean_" .. word .. "_err", r:column "mean_err")
  all:add("exact_" .. word, r:column "exact")
end
all:print { "time", "mean_ito", "mean_ito_err", "exact_ito", "mean_stratonovich", "mean_stratonovich_err",
            "exact_stratonovich", "mean_anti_ito", "mean_anti_ito_err", "exact_anti_ito" }
if bm.args.output then all:write(bm.args.output) end
if bm.args.plot then
  all:plot { x = "time", y = { "mean_ito", "mean_stratonovich", "mean_anti_ito" }, theory = fine,
             titles = { "Ito", "Stratonovich", "anti-Ito" }, xlabel = "{/:Italic t}", ylabel = "⟨{/:Italic x}⟩",
             file = bm.args.plot }
end
print(("largest deviation: %.2f standard errors"):format(largest))
