local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local r = bm.run { model = motor, sweep = { "gaussian.D", { 1, 2 } }, dt = 0.1, time = 1, paths = 16 }
r:plot { x = "gaussian.D", y = "force", log = "y", file = "force.svg" }
