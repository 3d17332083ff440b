local bm = require "bmsim"
bm.overdamped { noise = { bm.noise.gaussian { D = 1 }, bm.noise.gaussian { D = 2 } } }
