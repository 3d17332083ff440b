-- Kuramoto's transition: identical phases attract each other, dtheta_i = (K/N) sum over j of sin(theta_j - theta_i) dt
-- + sqrt(2 D) dW_i, which is K r sin(psi - theta_i) with the mean field r exp(i psi) = <exp(i theta)>. Many of them
-- order above K = 2 D, where r = I1(K r/D)/I0(K r/D). Of N free phases <r^2> is 1/N.
-- J. A. Acebron, L. L. Bonilla, C. J. Perez Vicente, F. Ritort, R. Spigler, Rev. Mod. Phys. 77, 137 (2005).
local bm = require "bmsim"
local D = 1
local paths = bm.args.paths or bm.args.full and 16384 or 1000

local r = bm.run {
  model = bm.system {
    variables = { "theta" }, period = { theta = "2*pi" },
    fields = { c = "cos(theta)", s = "sin(theta)" },
    equations = { theta = "K*(s*cos(theta) - c*sin(theta))" },
    noise = { theta = bm.noise.gaussian { D = D } },
    parameters = { K = 1 },
  },
  sweep = { "K", bm.linspace(0, 6, bm.args.points or bm.args.full and 31 or 13) },
  time = bm.args.time or bm.args.full and 400 or 60, transient = 0.5, dt = bm.args.full and 0.005 or 0.02,
  paths = paths, replicas = 16,
  observe = bm.observe.average { r = "sqrt(c^2 + s^2)", r2 = "c^2 + s^2" },
}

-- Modified Bessel functions I0 and I1.
local function bessel(n, x)
  local sum, term = 0, (x / 2) ^ n
  for k = 1, 60 do
    sum, term = sum + term, term * (x / 2) ^ 2 / (k * (k + n))
  end
  return sum
end
local function order(K)
  local value = 0.99
  for _ = 1, 3000 do value = bessel(1, K * value / D) / bessel(0, K * value / D) end
  return K > 2 * D and value or 0
end
r:add("exact", function(p) return order(p.K) end)
r:print { "K", "r", "r_err", "exact", "r2", "r2_err" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  local fine = { K = bm.linspace(0, 6, 300), r = {} }
  for i, K in ipairs(fine.K) do fine.r[i] = order(K) end
  r:plot { x = "K", y = "r", theory = fine, xlabel = "{/:Italic K}", ylabel = "order parameter {/:Italic r}",
           file = bm.args.plot }
end
-- Away from the transition, where systems of this size fluctuate.
local largest = 0
for p in r:rows() do
  if p.K == 0 then largest = math.max(largest, math.abs(p.r2 - 1 / paths) / p.r2_err) end
  if p.K > 3.9 * D then largest = math.max(largest, math.abs(p.r - p.exact) / math.sqrt(p.r_err ^ 2 + paths ^ -2)) end
end
print(("largest deviation: %.2f standard errors"):format(largest))
