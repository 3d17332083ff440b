-- A bifurcation diagram: the driven inertial particle without noise, x'' + gamma x' = -V'(x) + A cos(omega t), V =
-- sin 2 pi x, gamma = 0.9, omega = 4.9 (the particle of negative_mobility.lua), seen once a period of the drive,
-- against A, from a grid of starting points. Expected: one orbit of the drive's period at A = 3, which doubles its
-- period near A = 4.98; chaos for A from 5.52 to 5.66, then an orbit of five points; near A = 4.3 chaos beside the
-- orbit. `orbit` counts the velocities that are met, at most 40.
-- A picture: -D plot=FILE.png; the size of a paper: -D full=1.
local bm = require "bmsim"
local full = bm.args.full

local r = bm.run {
  model = bm.underdamped {
    mass = 1, gamma = 0.9,
    potential = bm.potential.sine {},
    drive = bm.drive.cosine { omega = 4.9 },
  },
  sweep = { "cosine.amplitude", bm.linspace(3, 6, bm.args.points or full and 1501 or 301) },
  initial = { x = { from = -0.5, to = 0.5, count = 8 }, v = { from = -2, to = 2, count = 8 } },
  paths = 64, periods = full and 2000 or 500, spp = 400,
  observe = { "velocity", bm.observe.stroboscope { periods = 10, paths = 64 } },
}

-- Velocities that differ by more than 0.001.
local orbit = {}
for i, values in ipairs(r:array("stroboscope_v").values) do
  local sorted, count = {}, 1
  for _, v in ipairs(values) do
    if v == v then sorted[#sorted + 1] = v end -- in a dry run there are none
  end
  table.sort(sorted)
  for k = 2, #sorted do
    if sorted[k] - sorted[k - 1] > 0.001 then count = count + 1 end
  end
  orbit[i] = math.min(count, 40)
end
r:add("orbit", orbit)
if r.points <= 32 then r:print { "cosine.amplitude", "velocity", "orbit" } end
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then r:plot { array = "stroboscope_v", x = "cosine.amplitude", file = bm.args.plot } end
print(("at A = 3 the orbit has %d point, at A = 6 %d"):format(orbit[1], orbit[#orbit]))
