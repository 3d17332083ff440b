local bm = require "bmsim"
local noise = bm.noise.gaussian { D = -1 }
