local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
bm.run { model = model, dt = 0.1, time = 10, observe = bm.observe.correlation { lags = 5 } }
