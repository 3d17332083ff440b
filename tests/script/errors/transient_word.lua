local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.sine {} }, time = 1, dt = 0.1, transient = "none" }
