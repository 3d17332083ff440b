local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, sweep = { { "dt", { 1, 2 } } }, time = 5, tolerance = { velocity = { abs = 0.1 } } }
