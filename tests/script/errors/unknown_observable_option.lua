local bm = require "bmsim"
bm.run { model = bm.overdamped {}, dt = 0.1, time = 1, observe = bm.observe.density { bin = 10 }, output = "x.csv" }
