-- Run and tumble in a trap: a bacterium swims at speed v to the left or to the right, and draws its direction anew at
-- rate a, dx = (v s - k x) dt. Its density is p(x) ~ [1 - (k x/v)^2]^(a/(2k) - 1): with a peak in the middle if it
-- tumbles often, a > 2k, else with peaks where it rests against the trap, at x = v/k and -v/k. J. Tailleur, M. E.
-- Cates, Europhys. Lett. 86, 60002 (2009); A. Dhar et al., Phys. Rev. E 99, 032132 (2019).
local bm = require "bmsim"
local v, k, edge, bins = 1, 1, 1, 40

local r = bm.run {
  model = bm.system {
    variables = { "x", "s" }, equations = { x = "v*s - k*x" }, parameters = { v = v, k = k },
    events = { tumble = { rate = "a", set = { s = "sign(U - 0.5)" }, a = 1 } },
  },
  sweep = { "tumble.a", { 1, 2, 4, 8 } },
  initial = { x = 0, s = 1 }, time = bm.args.time or bm.args.full and 200 or 40, transient = 0.5, dt = 0.02,
  paths = bm.args.paths or bm.args.full and 1048576 or 20000,
  observe = { bm.observe.density { of = "x", bins = bins, range = { -edge, edge }, count = 20 },
              bm.observe.average { x2 = "x^2" } },
}
r:add("exact", function(p) return v ^ 2 / (k * (k + p["tumble.a"])) end)
r:add("z", function(p) return (p.x2 - p.exact) / p.x2_err end)
r:print { "tumble.a", "x2", "x2_err", "exact", "z" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  local function density(p, x) -- of k = v = 1, normalised by the beta function, here by a sum
    local power, sum = p["tumble.a"] / 2 - 1, 0
    for i = 1, 20000 do sum = sum + math.sin(math.pi * (i - 0.5) / 20000) ^ (2 * power + 1) end -- x = cos(angle)
    return (1 - x ^ 2) ^ power / (sum * math.pi / 20000)
  end
  r:plot { array = "density_x", group = "tumble.a", theory = density, xrange = { -0.99, 0.99 }, yrange = { 0, 1.6 },
           xlabel = "{/:Italic kx}/{/:Italic v}", ylabel = "{/:Italic p}({/:Italic x})", file = bm.args.plot }
end
local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
