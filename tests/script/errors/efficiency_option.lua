local bm = require "bmsim"
bm.run { model = bm.underdamped { noise = bm.noise.poisson {} }, observe = bm.observe.efficiency { load = 1 } }
