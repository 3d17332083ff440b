local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian {} }, precision = "float64", dt = 0.1, time = 1 }
