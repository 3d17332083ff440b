local bm = require "bmsim"
local paths, noise = bm.args.paths or 32, bm.args.noise or {}
bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = noise.D } }, dt = 0.1, time = 1, paths = paths }
