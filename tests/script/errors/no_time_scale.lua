local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
bm.run { model = motor, spp = 100, time = 10, output = "x.csv" }
