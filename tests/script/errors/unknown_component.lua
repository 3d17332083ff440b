local bm = require "bmsim"
local noise = bm.noise.poison { D = 1 }
