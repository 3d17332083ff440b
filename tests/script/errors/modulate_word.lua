local bm = require "bmsim"
bm.drive.cosine { modulate = "force" }
