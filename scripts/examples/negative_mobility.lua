-- Absolute negative mobility: the driven inertial particle x'' + gamma x' = -V'(x) + a cos(omega t) + f + thermal
-- noise, V = sin 2 pi x, moves against a small constant force f, on average, and along it once f is larger. L. Machura,
-- M. Kostur, P. Talkner, J. Luczka, P. Haenggi, Phys. Rev. Lett. 98, 040601 (2007): a = 4.2, omega = 4.9, gamma = 0.9,
-- T = 0.001. Expected: v = 0 at f = 0 by symmetry, and v < 0 up to f = 0.17; at T = 0.1 the mobility is positive, as
-- usual.
local bm = require "bmsim"

local particle = bm.underdamped {
  mass = 1, gamma = 0.9,
  potential = bm.potential.sine {},
  drive = bm.drive.cosine { amplitude = 4.2, omega = 4.9 },
  noise = bm.noise.gaussian { T = 0.001 },
}

local r = bm.run {
  model = particle,
  sweep = { { "gaussian.T", { 0.001, 0.1 } },
            { "force", bm.linspace(0, 0.3, bm.args.points or bm.args.full and 31 or 13) } },
  initial = { v = { mean = 0, sd = 1 } },
  paths = bm.args.paths or bm.args.full and 16384 or 1024, periods = bm.args.periods or 1000, spp = 200,
}
r:print { "gaussian.T", "force", "velocity", "velocity_err" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "force", y = "velocity", group = "gaussian.T", yrange = { -0.03, 0.12 }, file = bm.args.plot }
end

local lowest, at
for p in r:rows() do
  if not lowest or p.velocity / p.velocity_err < lowest then lowest, at = p.velocity / p.velocity_err, p.force end
end
print(("most negative velocity: %.1f standard errors below zero, at the force %g"):format(-lowest, at))
