local bm = require "bmsim"
bm.run { model = bm.overdamped {}, dt = 0.1, time = 1, overwrite = "yes", output = "x.csv" }
