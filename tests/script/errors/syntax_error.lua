local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 }
local x = 1
