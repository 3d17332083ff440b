-- Growth and division: a cell grows, dx = dt, and divides at a rate proportional to its size, l x, into halves, of
-- which one is followed. Its mean square size is 2/l, exactly. A division makes the next one less likely for a while:
-- their number scatters less than that of independent events (the Fano factor is below 1), and the density of the time
-- between two has a peak. A. Amir, Phys. Rev. Lett. 112, 208102 (2014).
local bm = require "bmsim"

local r = bm.run {
  model = bm.system {
    variables = { "x" }, equations = { x = "1" },
    events = { divide = { rate = "l*x", set = { x = "x/2" }, l = 1 } },
  },
  sweep = { "divide.l", { 0.5, 1, 2 } },
  initial = { x = 1 }, time = bm.args.time or 60, transient = 0.2, dt = 0.02,
  paths = bm.args.paths or bm.args.full and 1048576 or 20000,
  observe = { bm.observe.average { x2 = "x^2" }, bm.observe.events { bins = 40, range = 4 } },
}
r:add("exact", function(p) return 2 / p["divide.l"] end)
r:add("z", function(p) return (p.x2 - p.exact) / p.x2_err end)
r:print { "divide.l", "x2", "x2_err", "exact", "z", "divide_rate", "divide_rate_err", "divide_fano",
          "divide_fano_err" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { array = "divide_wait_density", group = "divide.l", file = bm.args.plot, xlabel = "time between divisions",
           ylabel = "density" }
end
local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
