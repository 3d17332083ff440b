local bm = require "bmsim"
bm.drive.sin {}
