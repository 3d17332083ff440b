local bm = require "bmsim"
bm.underdamped {}
