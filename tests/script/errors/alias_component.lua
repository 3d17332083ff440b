local bm = require "bmsim"
bm.noise.white {}
