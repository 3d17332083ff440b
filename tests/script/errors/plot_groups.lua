local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local r = bm.run { model = motor, sweep = { "force", bm.linspace(0, 1, 40) }, dt = 0.1, time = 1, paths = 16 }
r:plot { x = "force", y = "velocity", group = "velocity", file = "velocity.svg" }
