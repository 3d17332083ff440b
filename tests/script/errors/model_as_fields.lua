local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.gaussian {} }
bm.run(model)
