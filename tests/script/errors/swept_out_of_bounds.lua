local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
bm.run { model = motor, sweep = { { "gaussian.D", { 1, -1 } } }, dt = 0.1, time = 1, output = "x.csv" }
