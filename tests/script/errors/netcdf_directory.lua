local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
bm.run { model = motor, dt = 0.1, time = 1e12, output = "nowhere/x.nc" }
