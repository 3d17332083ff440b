local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local many = bm.linspace(0, 1, 1e5)
bm.run { model = model, dt = 0.01, time = 1, sweep = { { "gaussian.D", many }, { "force", many } } }
