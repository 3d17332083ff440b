local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = { bm.noise.poisson {}, bm.noise.gaussian {} } }, method = "exact" }
