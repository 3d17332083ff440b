local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, dt = 1, time = 5, tolerance = { velocity = { rel = 0.1 } }, increments = "five_point" }
