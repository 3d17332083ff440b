-- A sweep of very many points with every default: velocities against Stratonovich's at some of them. Ends with status 1
-- if they scatter by more than their errors.
--   /usr/bin/time -v bmsim --device cuda -D points=10000000 scripts/laboratory/points.lua     five minutes, 35 GB
local bm = require "bmsim"
local count = bm.args.points or 2000
local wave = bm.potential.sine { V0 = 1 }
local r = bm.run {
  model = bm.overdamped { potential = wave, noise = bm.noise.gaussian { D = 0.3 } },
  sweep = { { "force", bm.linspace(0, 6, count) } },
  paths = 32, time = 20,
}
local force, velocity, err = r:column "force", r:column "velocity", r:column "velocity_err"
local compared, squares = 0, 0
for i = 1, count, math.max(1, math.floor(count / 500)) do
  local exact = bm.theory.stratonovich { potential = wave, D = 0.3, force = force[i] }
  compared, squares = compared + 1, squares + ((velocity[i] - exact) / err[i]) ^ 2
end
local z = math.sqrt(squares / compared)
print(("%d points, %d compared: root mean square z %.3f"):format(count, compared, z))
-- z of 32 paths has Student's law with 31 degrees of freedom: <z^2> = 31/29, and z^2 scatters by 1.59.
os.exit(math.abs(z ^ 2 - 31 / 29) < 4 * 1.59 / math.sqrt(compared) and 0 or 1)
