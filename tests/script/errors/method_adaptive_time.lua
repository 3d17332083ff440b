local bm = require "bmsim"
local V = bm.potential.formula { "sin(2*pi*x/L)*cos(w*t)", L = 1, w = 2 }
bm.run { model = bm.overdamped { potential = V }, method = "adaptive" }
