local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.poisson {} }, method = "exact" }
