local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.piecewise_linear {} }, method = "exact", dt = 0.1, time = 1 }
