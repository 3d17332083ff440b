-- Basins of attraction: the driven inertial particle x'' + gamma x' = -V'(x) + a cos(omega t) + f without noise, V =
-- sin 2 pi x, ends in one of two running states that are locked to the drive: in each of its periods the particle goes
-- one period of V along the force f = 0.3, or one against it. Which of them is decided by where it starts, and the
-- basins are interwoven: on the way it wanders for a while as if chaotic. Both attract: the Lyapunov exponent is
-- negative. D. Speer, R. Eichhorn, P. Reimann, Phys. Rev. E 76, 051110 (2007).
-- A picture: -D plot=FILE.png; the size of a paper: -D full=1.
local bm = require "bmsim"
local grid, omega = bm.args.points or bm.args.full and 1024 or 256, 4.2

local r = bm.run {
  model = bm.underdamped {
    mass = 1, gamma = 0.9, force = 0.3,
    potential = bm.potential.sine {},
    drive = bm.drive.cosine { amplitude = 5, omega = omega },
  },
  initial = { x = { from = -0.5, to = 0.5, count = grid }, v = { from = -2.5, to = 2.5, count = grid } },
  observe = { "velocity", "lyapunov", bm.observe.basins {} },
  paths = grid * grid, periods = bm.args.periods or 200, spp = 200, transient = 0.5,
}
local map = r:array "basins_velocity"
if bm.args.output then r:write(bm.args.output, "basins_velocity") end
if bm.args.plot then r:plot { array = "basins_velocity", discrete = true, file = bm.args.plot } end

local along, against, rest = 0, 0, 0
for _, v in ipairs(map.values[1]) do
  local turns = v * 2 * math.pi / omega -- periods of V in a period of the drive
  if math.abs(turns - 1) < 0.05 then along = along + 1
  elseif math.abs(turns + 1) < 0.05 then against = against + 1
  else rest = rest + 1 end
end
local symbols = { [true] = "+", [false] = "." }
for row = grid, 1, -math.ceil(grid / 32) do -- v(0) upwards, x(0) to the right
  local line = {}
  for column = 1, grid, math.ceil(grid / 64) do
    line[#line + 1] = symbols[map.values[1][(row - 1) * grid + column] > 0]
  end
  print(table.concat(line))
end
print(("along the force %.3f, against it %.3f, neither %.3f of the starts; Lyapunov exponent %.3f"):format(
  along / #map.values[1], against / #map.values[1], rest / #map.values[1], r:column("lyapunov")[1]))
