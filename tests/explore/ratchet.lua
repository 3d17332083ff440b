-- What the test of the explorer moves.
local bm = require "bmsim"
local a = bm.slider("a", { 0.5, 4, value = 1.5 })
local D_G = bm.slider("D_G", { 0.01, 1, value = 0.1, log = true, label = "D_G" })
local points = bm.choice("points", { 4, 8, label = "points" })
local spread = bm.toggle("spread", { label = "with diffusion" })

local motor = bm.overdamped {
  potential = bm.potential.piecewise_linear {},
  noise = { bm.noise.poisson { D = 1, a = a }, bm.noise.gaussian { D = D_G } },
}
bm.show(motor)
local r = bm.run {
  model = motor, sweep = { "poisson.D", bm.logspace(0.1, 10, points) },
  paths = 1024, periods = 100, observe = spread and { "velocity", "diffusion" } or "velocity", overwrite = true,
}
r:compare(bm.theory.master)
r:plot { x = "poisson.D", y = "velocity", theory = "theory", log = "x", file = "ratchet.svg" }
r:print { "poisson.D", "velocity", "velocity_err" }
r:write "ratchet.csv"
print("largest current", math.max(unpack(r:column "velocity")))
io.stdout:write("of ", points, " points\n")
io.write "by io.write\n"
