local bm = require "bmsim"
bm.noise.gaussian { D = { 1, 2 } }
