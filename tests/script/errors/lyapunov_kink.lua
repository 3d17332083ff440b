local bm = require "bmsim"
local kinks = bm.potential.piecewise_linear { V0 = 1, L = 2, k = 0.3 }
bm.run { model = bm.overdamped { potential = kinks, noise = bm.noise.gaussian {} }, dt = 0.01, time = 1, observe = "lyapunov" }
