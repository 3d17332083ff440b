local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.piecewise_linear {}, noise = bm.noise.poisson { D = 1, a = 2 } }, dt = 1, time = 5, tolerance = { velocity = { rel = 0.01 } }, method = "exact" }
