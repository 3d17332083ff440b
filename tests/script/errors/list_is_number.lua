local bm = require "bmsim"
bm.noise.tabulated { steps = 1 }
