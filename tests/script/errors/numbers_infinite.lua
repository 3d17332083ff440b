local bm = require "bmsim"
bm.noise.tabulated { steps = { 1, 1 / 0 } }
