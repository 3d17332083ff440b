local bm = require "bmsim"
local first
bm.noise.tabulated { steps = { first, 1, 2 } }
