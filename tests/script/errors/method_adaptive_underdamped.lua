local bm = require "bmsim"
bm.run { model = bm.underdamped { noise = bm.noise.gaussian {} }, dt = 0.1, time = 1, method = "adaptive" }
