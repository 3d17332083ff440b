local bm = require "bmsim"
bm.overdamped(bm.noise.gaussian {})
