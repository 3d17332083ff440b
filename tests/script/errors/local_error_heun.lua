local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.poisson {} }, local_error = 0.01 }
