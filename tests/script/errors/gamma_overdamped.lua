local bm = require "bmsim"
bm.overdamped { gamma = 2 }
