local bm = require "bmsim"
bm.overdamped { noises = {} }
