-- Active friction: a particle takes up energy when it is slow and loses it when it is fast, Rayleigh's and Helmholtz's
-- v' = a v - v^3 + sqrt(2 D) xi. Its velocity has two maxima, p(v) ~ exp[(a v^2/2 - v^4/4)/D], and it turns round only
-- when noise takes v over the barrier between them: the weaker the noise, the larger the diffusion,
--   D_eff = (1/D) int dv [int_v^inf u p(u) du]^2 / p(v).
-- B. Lindner, New J. Phys. 9, 136 (2007).
local bm = require "bmsim"

local function exact(a, D) -- <v^2> and D_eff; the integrands are even: midpoints from far below to v = 0
  local n, far = 4000, -math.sqrt(a + 8 * math.sqrt(D)) - 1
  local h, norm, square, flux, sum = -far / n, 0, 0, 0, 0
  for i = 1, n do
    local v = far + (i - 0.5) * h
    local p = math.exp((a * v ^ 2 / 2 - v ^ 4 / 4 - a ^ 2 / 4) / D)
    norm, square, flux = norm + p * h, square + v ^ 2 * p * h, flux - v * p * h
    sum = sum + (flux + v * p * h / 2) ^ 2 / p * h
  end
  return square / norm, sum / norm / D
end

local r = bm.run {
  model = bm.system {
    variables = { "x" },
    inertia = { x = { mass = 1, gamma = 1 } },
    equations = { x = "(a + 1)*v_x - v_x^3" }, -- with friction -v_x of its own
    noise = { x = bm.noise.gaussian {} },
    parameters = { a = 1 },
  },
  sweep = { { "a", { 0, 1, 2 } }, { "gaussian.D", bm.logspace(0.4, 3, bm.args.points or 8) } },
  paths = bm.args.paths or bm.args.full and 65536 or 4096, time = 500, transient = 0.2,
  initial = { x = 0, v_x = 0 }, dt = bm.args.full and 0.002 or 0.004,
  observe = { "diffusion", bm.observe.average { v2 = "v_x^2" } },
}
r:add("exact", function(p) return select(2, exact(p.a, p.gaussian.D)) end)
r:add("exact_v2", function(p) return (exact(p.a, p.gaussian.D)) end)
r:add("z", function(p) return (p.diffusion_x - p.exact) / p.diffusion_x_err end)
r:add("z_v2", function(p) return (p.v2 - p.exact_v2) / p.v2_err end)
r:print { "a", "gaussian.D", "diffusion_x", "diffusion_x_err", "exact", "z", "v2", "v2_err", "exact_v2", "z_v2" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "gaussian.D", y = "diffusion_x", group = "a", log = "xy", file = bm.args.plot,
           theory = function(p, D) return select(2, exact(p.a, D)) end,
           xlabel = "{/:Italic D}", ylabel = "{/:Italic D}_{eff}" }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z), math.abs(p.z_v2)) end
print(("largest deviation: %.2f standard errors"):format(largest))
