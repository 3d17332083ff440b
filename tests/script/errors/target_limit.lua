local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.sine {} }, time = 1, dt = 0.1, paths = 100, limit = 50 }
