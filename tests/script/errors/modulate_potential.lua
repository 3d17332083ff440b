local bm = require "bmsim"
bm.potential.sine { modulate = "potential" }
