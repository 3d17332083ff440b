-- Coloured noise, dx/dt = -V'(x) + y(t), <y(t) y(s)> = (D/tau) exp(-|t - s|/tau): diffusion against the correlation
-- time tau at equal intensity D, free and in V = sin 2 pi x. The free particle has D_eff = D at any tau. In the
-- potential the limit tau -> 0 is that of white noise, D/I0(1/D)^2. A long tau hinders the escape, since y must exceed
-- the slope, 2 pi, for a while, and its standard deviation is only sqrt(D/tau). To first order in tau the Fokker-Planck
-- equation has the diffusion D (1 - tau V'') (J. M. Sancho et al., Phys. Rev. A 26, 1589, 1982), and D_eff =
-- D/[<exp(W/D)> <(1 + tau V'') exp(-W/D)>], means over a period, W = V + tau V'^2/2: the column `first_order`, for tau
-- V'' << 1, that is tau << 0.025.
local bm = require "bmsim"
local D = 0.5

local r = bm.run {
  model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.ornstein_uhlenbeck { D = D } },
  sweep = { { "sine.V0", { 0, 1 } }, { "ornstein_uhlenbeck.tau", bm.logspace(0.002, 0.1, bm.args.points or 9) } },
  observe = "diffusion", paths = bm.args.paths or bm.args.full and 32768 or 2048, time = bm.args.time or 100,
  dt = function(p) return math.min(0.002, p.ornstein_uhlenbeck.tau / 4) end,
}

local function first_order(V0, tau)
  local up, down, k, n = 0, 0, 2 * math.pi, 256
  for i = 1, n do
    local s, c = math.sin(k * i / n), math.cos(k * i / n)
    local W = V0 * s + tau * (V0 * k * c) ^ 2 / 2
    up, down = up + math.exp(W / D) / n, down + math.exp(-W / D) * (1 - tau * V0 * k * k * s) / n
  end
  return D / (up * down)
end
r:add("white", function(p) return first_order(p.sine.V0, 0) end)
r:add("first_order", function(p) return first_order(p.sine.V0, p.ornstein_uhlenbeck.tau) end)
r:print { "sine.V0", "ornstein_uhlenbeck.tau", "diffusion", "diffusion_err", "white", "first_order" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "ornstein_uhlenbeck.tau", y = "diffusion", group = "sine.V0", theory = { "first_order", "white" },
           theory_titles = { "first order in {/:Italic τ}", "white noise" },
           log = "xy", yrange = { 1e-4, 1 }, file = bm.args.plot }
end

local largest = 0
for p in r:rows() do
  if p.sine.V0 == 0 then largest = math.max(largest, math.abs(p.diffusion - D) / p.diffusion_err) end
end
print(("largest deviation of the free particle: %.2f standard errors"):format(largest))
