local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
bm.run { model = model, time = 1, spp = 0.5 }
