local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.harmonic {}, noise = bm.noise.gaussian { D = 1 } }
bm.run { model = model, dt = 0.1, time = 10, observe = bm.observe.current { bins = 10 } }
