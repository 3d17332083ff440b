local bm = require "bmsim"
bm.theory.dichotomous_velocity { Fa = 3, Fb = 0.5, tau = 1 }
