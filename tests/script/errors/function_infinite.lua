local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
bm.run { model = model, dt = function() return 1 / 0 end, time = 1 }
