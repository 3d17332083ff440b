-- Coherence resonance: FitzHugh and Nagumo's excitable system, epsilon x' = x - x^3/3 - y, y' = x + a + sqrt(2 D) xi,
-- rests for a > 1 and fires where noise takes it over a threshold. With weak noise pulses come at random; with strong
-- noise the pulses themselves are irregular. In between they are almost periodic, without any drive: the coefficient of
-- variation R = sqrt(Var T)/<T> of the intervals T between pulses has a minimum. A. S. Pikovsky, J. Kurths, Phys. Rev.
-- Lett. 78, 775 (1997); their noise is D_PK = sqrt(2 D). A pulse is a passage of x = 1 upwards after one of -1
-- downwards; intervals are read off recorded paths. Their mean must be the sum of the mean times below and above, which
-- the observable `residence` gives.
local bm = require "bmsim"
local full = bm.args.full
local paths, time, step = bm.args.paths or full and 256 or 96, bm.args.time or 500, 0.04

local r = bm.run {
  model = bm.system {
    variables = { "x", "y" },
    equations = { x = "(x - x^3/3 - y)/epsilon", y = "x + a" },
    noise = { y = bm.noise.gaussian {} },
    parameters = { epsilon = 0.01, a = 1.05 },
  },
  sweep = { "gaussian.D", bm.logspace(0.0002, 0.1, bm.args.points or full and 25 or 13) },
  initial = { x = -1.05, y = -0.66 }, paths = paths, time = time, transient = 0.1, dt = full and 0.0002 or 0.0005,
  observe = { bm.observe.paths { paths = paths, count = math.floor(0.9 * time / step) + 1 },
              bm.observe.residence { of = "x", from = -1, to = 1 } },
}

-- Number, sum and sum of squares of the intervals of one path.
local function intervals(x, first, last)
  local low, before, n, sum, squares = false, nil, 0, 0, 0
  for i = first, last do
    if x[i] < -1 then low = true end
    if low and x[i] > 1 then
      local T = before and (i - before) * step or 0
      if before then n, sum, squares = n + 1, sum + T, squares + T ^ 2 end
      low, before = false, i
    end
  end
  return n, sum, squares
end
local function variation(n, sum, squares) return math.sqrt(squares / n - (sum / n) ^ 2) / (sum / n) end

local R, err, mean = {}, {}, {}
for point, x in ipairs(r:array("paths_x").values) do
  local count, each, N, S, Q = #x / paths, {}, 0, 0, 0
  for path = 1, paths do
    each[path] = { intervals(x, (path - 1) * count + 1, path * count) }
    N, S, Q = N + each[path][1], S + each[path][2], Q + each[path][3]
  end
  R[point], mean[point], err[point] = variation(N, S, Q), S / N, 0
  for _, one in ipairs(each) do -- jackknife over the paths
    err[point] = err[point] + (variation(N - one[1], S - one[2], Q - one[3]) - R[point]) ^ 2 * (paths - 1) / paths
  end
  err[point] = math.sqrt(err[point])
end
r:add("interval", mean):add("R", R):add("R_err", err)
r:add("residence", function(p) return p.residence_low_x + p.residence_high_x end)
r:print { "gaussian.D", "interval", "residence", "R", "R_err" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "gaussian.D", y = "R", log = "x", file = bm.args.plot, xlabel = "{/:Italic D}",
           ylabel = "{/:Italic R} = (Var {/:Italic T})^{1/2} / ⟨{/:Italic T}⟩" }
end

local best = 1
for point = 2, #R do if R[point] < R[best] then best = point end end
print(("most regular with R = %.3f at D = %.4f, D_PK = %.3f"):format(R[best], r:column("gaussian.D")[best],
  math.sqrt(2 * r:column("gaussian.D")[best])))
