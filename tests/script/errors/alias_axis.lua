local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian {} }, sweep = { "gaussian.temperature", { 1, 2 } }, dt = 0.1, time = 1 }
