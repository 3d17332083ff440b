local bm = require "bmsim"
local tooth = bm.potential.formula { "V0*(x/L - floor(x/L))", V0 = 5, L = 1, name = "tooth" }
bm.run { model = bm.overdamped { potential = tooth, noise = bm.noise.gaussian {} },
  sweep = { "tooth.V0", { 0, 2 } }, dt = 0.01, time = 1 }
