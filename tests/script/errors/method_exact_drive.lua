local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.poisson {}, drive = bm.drive.cosine {} }, method = "exact" }
