local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.levy {} }, dt = 0.1, time = 1, method = "adaptive" }
