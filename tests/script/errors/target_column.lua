local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.sine {} }, time = 1, dt = 0.1, target = { diffusion = { rel = 0.1 } } }
