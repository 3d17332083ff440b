-- Work on a particle in a trap that is dragged at constant velocity u, dx = -k (x - u t) dt + sqrt(2 T) dW, from
-- equilibrium: it is normal with mean W = u^2 [t - (1 - exp(-k t))/k] and variance 2 T W. No free energy is gained, and
-- Jarzynski's equality says <exp(-W/T)> = 1, Crooks's theorem p(W) exp(-W/T) = p(-W), since dragging back is the mirror
-- image. C. Jarzynski, Phys. Rev. Lett. 78, 2690 (1997); G. E. Crooks, Phys. Rev. E 60, 2721 (1999); O. Mazonka and
-- C. Jarzynski, cond-mat/9912121.
local bm = require "bmsim"
local k, T, time, bins = 1, 1, 2, 120

local r = bm.run {
  model = bm.overdamped {
    potential = bm.potential.formula { "k/2*(x - u*t)^2", k = k, u = 1, name = "trap" },
    noise = bm.noise.gaussian { T = T },
  },
  sweep = { "trap.u", { 0.4, 0.7, 1 } }, initial = { x = { mean = 0, sd = math.sqrt(T / k) } }, transient = 0,
  time = time, dt = bm.args.dt or bm.args.full and 0.005 or 0.02,
  paths = bm.args.paths or bm.args.full and 4194304 or 65536,
  observe = bm.observe.integral { W = "-trap.k*trap.u*(x - trap.u*t)", exponential = "-1/gaussian.T",
                                  bins = bins, range = { -6, 6 } },
}

local function work(u) return u ^ 2 * (time - (1 - math.exp(-k * time)) / k) end
r:add("exact", function(p) return work(p.trap.u) end)
r:add("exact_variance", function(p) return 2 * T * work(p.trap.u) end)
r:print { "trap.u", "W", "W_err", "exact", "W_variance", "W_variance_err", "exact_variance", "W_exponential",
          "W_exponential_err", "W_free_energy", "W_free_energy_err" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  local function normal(p, W)
    return math.exp(-(W - work(p.trap.u)) ^ 2 / (4 * T * work(p.trap.u))) / math.sqrt(4 * math.pi * T * work(p.trap.u))
  end
  r:plot { array = "W_density", theory = normal, xlabel = "{/:Italic W}", ylabel = "{/:Italic p}({/:Italic W})",
           file = bm.args.plot }
end

local largest, crooks, compared = 0, 0, 0
for p in r:rows() do
  largest = math.max(largest, math.abs(p.W - p.exact) / p.W_err,
    math.abs(p.W_variance - p.exact_variance) / p.W_variance_err)
  local z = math.abs(p.W_exponential - 1) / p.W_exponential_err
  if z == z then largest = math.max(largest, z) end -- few paths do not know the error
end
local density, err = r:array "W_density", r:array("W_density_err").values
for i, values in ipairs(density.values) do
  for n = bins / 2 + 1, bins do
    local weight = math.exp(-density.dims[1].values[n] / T)
    local error = math.sqrt((err[i][n] * weight) ^ 2 + err[i][bins + 1 - n] ^ 2)
    if values[bins + 1 - n] > 5 * err[i][bins + 1 - n] then
      crooks, compared = math.max(crooks, math.abs(values[n] * weight - values[bins + 1 - n]) / error), compared + 1
    end
  end
end
print(("Crooks's theorem: largest deviation of %d bins %.2f standard errors"):format(compared, crooks))
print(("largest deviation: %.2f standard errors"):format(largest))
