local bm = require "bmsim"
bm.underdamped { mass = 0 }
