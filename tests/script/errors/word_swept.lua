local bm = require "bmsim"
local shots = bm.overdamped { noise = bm.noise.tabulated { steps = { 1, 2 } } }
bm.run { model = shots, sweep = { { "tabulated.law", { 0, 1 } } }, dt = 0.1, time = 1 }
