local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = { bm.noise.poisson {}, bm.noise.dichotomous { modulate = "potential" } } }, method = "exact" }
