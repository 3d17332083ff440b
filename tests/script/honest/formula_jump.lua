-- V that jumps inside its period has a force that does not know of it: it is refused with the place and the height.
local bm = require "bmsim"
local saw = bm.potential.formula { "V0*(x/L - floor(x/L))", V0 = 5, L = 1 }
local ok, message = pcall(bm.run, {
  model = bm.overdamped { potential = saw, noise = bm.noise.gaussian { D = 1 } }, dt = 0.001, time = 1, paths = 64,
})
assert(not ok, "a potential that jumps was run")
assert(message:find("V must not jump: at x = 0 it falls by 5", 1, true), message)

-- With a slope in the place of the jump it is run, and there is no current in equilibrium.
local slope = bm.potential.formula {
  "V0*min((x/L - floor(x/L))/(1 - w), (1 - x/L + floor(x/L))/w)", V0 = 5, w = 0.1, L = 1,
}
local r = bm.run {
  model = bm.overdamped { potential = slope, noise = bm.noise.gaussian { D = 1 } }, dt = 0.0005, time = 20, paths = 512,
}
local v, err = r:column("velocity")[1], r:column("velocity_err")[1]
assert(math.abs(v) < 4 * err, ("%g +- %g"):format(v, err))
