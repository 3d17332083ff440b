local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
bm.run { model = model, dt = 0.01, time = 1, threads = 1e6 }
