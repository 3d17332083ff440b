local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.formula { "log(x)" }, noise = bm.noise.gaussian {} },
  initial = { x = 1 }, dt = 0.01, time = 1 }
