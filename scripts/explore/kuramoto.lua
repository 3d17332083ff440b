-- Kuramoto's transition: phases that attract each other order above a coupling K = 2 D. Points: N phases; line:
-- infinitely many. J. A. Acebron et al., Rev. Mod. Phys. 77, 137 (2005).
-- bmsim explore kuramoto.lua
local bm = require "bmsim"

local D = bm.slider("D", { 0.2, 2, value = 1 })
local N = bm.choice("N", { 100, 300, 1000, value = 300 })

local r = bm.run {
  model = bm.system {
    variables = { "theta" }, period = { theta = "2*pi" },
    fields = { c = "cos(theta)", s = "sin(theta)" },
    equations = { theta = "K*(s*cos(theta) - c*sin(theta))" },
    noise = { theta = bm.noise.gaussian { D = D } },
    parameters = { K = 1 },
  },
  sweep = { "K", bm.linspace(0, 6, bm.args.points or 13) },
  time = 40, transient = 0.5, dt = 0.02, paths = N, replicas = 16,
  observe = bm.observe.average { r = "sqrt(c^2 + s^2)" },
}

-- Modified Bessel functions I0 and I1.
local function bessel(n, x)
  local sum, term = 0, (x / 2) ^ n
  for k = 1, 40 do sum, term = sum + term, term * (x / 2) ^ 2 / (k * (k + n)) end
  return sum
end
local fine = { K = bm.linspace(0, 6, 100), r = {} }
for i, K in ipairs(fine.K) do
  local order = K > 2 * D and 0.99 or 0
  for _ = 1, K > 2 * D and 60 or 0 do order = bessel(1, K * order / D) / bessel(0, K * order / D) end
  fine.r[i] = order
end
r:plot { x = "K", y = "r", theory = fine, xlabel = "{/:Italic K}", ylabel = "order parameter {/:Italic r}",
         theory_titles = { "{/:Italic N} = ∞" }, file = "kuramoto.svg" }
