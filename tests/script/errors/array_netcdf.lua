local bm = require "bmsim"
local motor = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 1 } }
local r = bm.run { model = motor, time = 1, paths = 16, observe = bm.observe.density { bins = 4 } }
r:write("x.nc", "density")
