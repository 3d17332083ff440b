local bm = require "bmsim"
bm.run { model = bm.underdamped { drive = bm.drive.cosine {} }, initial = { phase = "random" } }
