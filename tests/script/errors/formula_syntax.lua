local bm = require "bmsim"
bm.potential.formula { "V0*sin(2*pi*(x + 1)", V0 = 1 }
