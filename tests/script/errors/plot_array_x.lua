local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local observed = { bm.observe.density { bins = 4 }, bm.observe.paths { paths = 2, times = { 1, 2 } } }
local r = bm.run { model = model, sweep = { "force", { 0, 1 } }, dt = 0.1, time = 2, paths = 16, observe = observed }
r:plot { array = "density", x = "positon", file = "p.svg" }
