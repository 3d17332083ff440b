local bm = require "bmsim"
local shots = bm.overdamped { noise = bm.noise.tabulated {} }
bm.run { model = shots, dt = 0.1, time = 1 }
