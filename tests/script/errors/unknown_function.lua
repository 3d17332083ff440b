local bm = require "bmsim"
bm.overdampd {}
