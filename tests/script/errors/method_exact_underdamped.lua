local bm = require "bmsim"
bm.run { model = bm.underdamped { noise = bm.noise.poisson {} }, method = "exact" }
