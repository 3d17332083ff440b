local bm = require "bmsim"
motor = bm.overdamped {}
