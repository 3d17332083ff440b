local bm = require "bmsim"
bm.theory.poisson_velocity { D = 1, a = 0.5 }
