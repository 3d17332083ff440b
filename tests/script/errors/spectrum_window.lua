local bm = require "bmsim"
local model = bm.underdamped { noise = bm.noise.gaussian { T = 1 } }
bm.run { model = model, dt = 0.1, time = 50, observe = bm.observe.spectrum { window = "hamming" } }
