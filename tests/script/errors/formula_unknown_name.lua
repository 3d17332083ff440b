local bm = require "bmsim"
bm.potential.formula { "V0*sin(2*pi*x/L) + V2", L = 1, V0 = 1 }
