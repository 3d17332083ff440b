-- Friction that remembers, a generalised Langevin equation: m x'' = -k x - int_0^t K(t - s) x'(s) ds + noise, with the
-- kernel K(t) = (c/tau) exp(-t/tau) and noise of the correlation T K(t) (fluctuation-dissipation theorem). One more
-- variable makes it Markovian: tau z' = -z - c x' + sqrt(2 c T) xi, z being the force of the bath. In equilibrium
-- <x^2> = T/k and <v^2> = T/m, whatever the memory. The longer it is, the longer the velocity rings, since the bath
-- acts as a spring c/tau then. The exact <v(0) v(t)> is v(t) of the equations without noise, from x = z = 0, v = T/m.
-- R. Zwanzig, Nonequilibrium Statistical Mechanics (2001), chapter 1.
local bm = require "bmsim"
local m, k, c, T = 1, 0.5, 2, 1

local r = bm.run {
  model = bm.system {
    variables = { "x", "z" },
    inertia = { x = { mass = m, gamma = 0 } },
    equations = { x = "-k*x + z", z = "-(z + c*v_x)/tau" },
    noise = { z = bm.noise.gaussian { D = function(p) return c * T / p.tau ^ 2 end } },
    parameters = { k = k, c = c, tau = 1 },
  },
  sweep = { "tau", { 0.2, 1, 3 } },
  paths = bm.args.paths or bm.args.full and 65536 or 4096, time = bm.args.time or 150, transient = 1 / 3,
  dt = bm.args.full and 0.005 or 0.02,
  observe = { bm.observe.average { x2 = "x^2", v2 = "v_x^2" },
              bm.observe.correlation { of = "v_x", lags = bm.args.points or 41, step = 0.2, origins = 300 } },
}

local function exact(tau, t) -- Runge and Kutta's steps
  local n = math.ceil(t / 0.01)
  local h, x, v, z = t / math.max(n, 1), 0, T / m, 0
  local function slope(a, b, d) return b, (d - k * a) / m, -(d + c * b) / tau end
  for _ = 1, n do
    local x1, v1, z1 = slope(x, v, z)
    local x2, v2, z2 = slope(x + h / 2 * x1, v + h / 2 * v1, z + h / 2 * z1)
    local x3, v3, z3 = slope(x + h / 2 * x2, v + h / 2 * v2, z + h / 2 * z2)
    local x4, v4, z4 = slope(x + h * x3, v + h * v3, z + h * z3)
    x, v, z = x + h / 6 * (x1 + 2 * x2 + 2 * x3 + x4), v + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4),
      z + h / 6 * (z1 + 2 * z2 + 2 * z3 + z4)
  end
  return v
end

r:add("z_x2", function(p) return (p.x2 - T / k) / p.x2_err end)
r:add("z_v2", function(p) return (p.v2 - T / m) / p.v2_err end)
r:print { "tau", "x2", "x2_err", "z_x2", "v2", "v2_err", "z_v2" }
if bm.args.output then r:write(bm.args.output, "correlation_v_x") end
if bm.args.plot then
  r:plot { array = "correlation_v_x", group = "tau", theory = function(p, lag) return exact(p.tau, lag) end,
           xlabel = "lag", ylabel = "⟨{/:Italic v}(0) {/:Italic v}(lag)⟩", file = bm.args.plot }
end

local C, err, largest = r:array "correlation_v_x", r:array("correlation_v_x_err").values, 0
for p, tau in ipairs(r:column "tau") do
  largest = math.max(largest, math.abs(r:column("z_x2")[p]), math.abs(r:column("z_v2")[p]))
  for i, lag in ipairs(C.dims[1].values) do
    largest = math.max(largest, math.abs(C.values[p][i] - exact(tau, lag)) / err[p][i])
  end
end
print(("largest deviation: %.2f standard errors"):format(largest))
