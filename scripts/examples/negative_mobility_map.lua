-- Absolute negative mobility in the plane of the drive: v at the small force f = 0.1, in the amplitude a and frequency
-- omega of x'' + gamma x' = -V'(x) + a cos(omega t) + f + thermal noise, V = sin 2 pi x, gamma = 0.9, T = 0.001.
-- Islands where the particle runs against the force lie around a = 4.2, omega = 4.9, the point of
-- negative_mobility.lua. L. Machura, M. Kostur, P. Talkner, J. Luczka, P. Haenggi, Phys. Rev. Lett. 98, 040601 (2007).
-- A picture: -D plot=FILE.svg; the size of a paper: -D full=1.
local bm = require "bmsim"
local full = bm.args.full
local n = bm.args.points or full and 61 or 25

local r = bm.run {
  model = bm.underdamped {
    mass = 1, gamma = 0.9, force = 0.1,
    potential = bm.potential.sine {},
    drive = bm.drive.cosine {},
    noise = bm.noise.gaussian { T = 0.001 },
  },
  sweep = { { "cosine.amplitude", bm.linspace(3.5, 5.5, n) }, { "cosine.omega", bm.linspace(4.4, 5.6, n) } },
  initial = { v = { mean = 0, sd = 1 } },
  paths = bm.args.paths or full and 2048 or 512, periods = bm.args.periods or full and 2000 or 500, spp = 200,
}
if r.points <= 32 then r:print { "cosine.amplitude", "cosine.omega", "velocity", "velocity_err" } end
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "cosine.amplitude", y = "cosine.omega", z = "velocity", zrange = { -0.05, 0.05 }, palette = "diverging",
           file = bm.args.plot }
end

local negative, lowest = 0, nil
for p in r:rows() do
  if p.velocity < -4 * p.velocity_err then negative = negative + 1 end
  if not lowest or p.velocity < lowest.velocity then lowest = p end
end
print(("against the force: %d of %d points; lowest velocity %.4f +- %.4f at a = %g, omega = %g"):format(
  negative, r.points, lowest.velocity, lowest.velocity_err, lowest.cosine.amplitude, lowest.cosine.omega))
