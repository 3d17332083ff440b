local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.table { edges = "bounded", x = { 0, 2, 1 }, V = { 0, 1, 0 } } }, dt = 0.1, time = 1 }
