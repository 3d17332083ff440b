local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian {} }, increments = "fife_point", dt = 0.1, time = 1 }
