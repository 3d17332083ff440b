local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.poisson {} }, method = "adaptive", local_error = "small" }
