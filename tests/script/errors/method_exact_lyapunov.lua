local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.poisson {} }, method = "exact", observe = { bm.observe.lyapunov {} } }
