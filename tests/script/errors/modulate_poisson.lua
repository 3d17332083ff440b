local bm = require "bmsim"
bm.noise.poisson { modulate = "potential" }
