local bm = require "bmsim"
bm.overdamped { noise = { bm.noise.gaussian { D = 1 }, drive = bm.drive.cosine {} } }
