local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.formula { "V0*x^2/b", V0 = 1, b = 0 } }, dt = 0.1, time = 1 }
