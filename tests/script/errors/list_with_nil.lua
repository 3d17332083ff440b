local bm = require "bmsim"
local thermal
bm.overdamped { noise = { thermal, bm.noise.poisson { D = 1, a = 2 } } }
