local bm = require "bmsim"
bm.noise.tabulated { steps = { 1, 2 }, law = 1 }
