local bm = require "bmsim"
local model = bm.underdamped { noise = bm.noise.gaussian { T = 1 } }
bm.run { model = model, dt = 0.03, time = 50, observe = bm.observe.spectrum { samples = 256, segments = 4, step = 0.1 } }
