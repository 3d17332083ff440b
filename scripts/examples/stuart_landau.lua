-- The linewidth of an oscillator, or of a laser: the amplitude z = x + i y obeys z' = (lambda + i omega) z - (1 - i c)
-- |z|^2 z + complex noise of intensity D. The noise acts on the phase directly, and through r = |z|, on which the
-- frequency depends if c is not 0. The phase diffuses with
--   D_phase = D (1 + c^2) <1/r^2>,  p(r) ~ r exp[-(r^2 - lambda)^2/(4 D)],
-- about D (1 + c^2)/lambda: Henry's factor, by which lasers have broader lines than expected. It is exact but for paths
-- through the centre, of which there are few at D << lambda^2/4. The variable theta is the phase, unwound; it feels the
-- same two noises as x and y. C. H. Henry, IEEE J. Quantum Electron. 18, 259 (1982).
local bm = require "bmsim"
local lambda = 1

local function inverse_square(D) -- <1/r^2>, midpoints
  local norm, sum = 0, 0
  for r = 0.1, 3, 0.001 do
    local p = r * math.exp(-(r ^ 2 - lambda) ^ 2 / (4 * D))
    norm, sum = norm + p, sum + p / r ^ 2
  end
  return sum / norm
end
local function phase_diffusion(D, c) return D * (1 + c ^ 2) * inverse_square(D) end

local r = bm.run {
  model = bm.system {
    variables = { "x", "y", "theta" },
    define = { r2 = "x^2 + y^2", turning = "omega + c*r2" },
    equations = { x = "(lambda - r2)*x - turning*y", y = "(lambda - r2)*y + turning*x", theta = "turning" },
    noise = { bm.noise.gaussian { name = "along_x", amplitude = { x = "1", theta = "-y/r2" } },
              bm.noise.gaussian { name = "along_y", amplitude = { y = "1", theta = "x/r2" },
                                  D = function(p) return p.along_x.D end } },
    parameters = { lambda = lambda, omega = -1, c = 0 },
  },
  sweep = { { "along_x.D", { 0.01, 0.03 } }, { "c", bm.linspace(0, 3, bm.args.points or 7) } },
  initial = { x = 1, y = 0, theta = 0 }, dt = bm.args.full and 0.001 or 0.004,
  paths = bm.args.paths or bm.args.full and 65536 or 4096, time = bm.args.time or 100,
  observe = bm.observe.diffusion { of = "theta" },
}
r:add("exact", function(p) return phase_diffusion(p.along_x.D, p.c) end)
r:add("z", function(p) return (p.diffusion_theta - p.exact) / p.diffusion_theta_err end)
r:print { "along_x.D", "c", "diffusion_theta", "diffusion_theta_err", "exact", "z" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "c", y = "diffusion_theta", group = "along_x.D", file = bm.args.plot, ylabel = "{/:Italic D}_{phase}",
           theory = function(p, c) return phase_diffusion(p.along_x.D, c) end }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
