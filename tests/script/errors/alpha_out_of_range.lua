local bm = require "bmsim"
bm.noise.levy { alpha = 2.5 }
