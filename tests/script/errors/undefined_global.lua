local bm = require "bmsim"
bm.run { model = moter }
