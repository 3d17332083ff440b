local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.ornstein_uhlenbeck {} }, method = "exact" }
