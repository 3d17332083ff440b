local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.formula { "x^3", L = 2 } }, dt = 0.1, time = 1 }
