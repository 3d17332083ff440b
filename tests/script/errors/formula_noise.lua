local bm = require "bmsim"
bm.noise.formula { "sin(t)" }
