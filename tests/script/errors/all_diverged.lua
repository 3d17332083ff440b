local bm = require "bmsim"
local quartic = bm.overdamped { potential = bm.potential.formula { "a*x^4", a = 1 }, noise = bm.noise.gaussian { D = 1 } }
bm.run { model = quartic, dt = 0.5, time = 500, paths = 32, seed = 1, device = "cpu", output = "x.csv" }
