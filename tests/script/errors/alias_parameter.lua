local bm = require "bmsim"
bm.drive.cosine { frequency = 2 }
