local bm = require "bmsim"
local motor = bm.overdamped {
  noise = {
    bm.noise.gaussian { name = "a", D = function(p) return p.b.D end },
    bm.noise.gaussian { name = "b", D = function(p) return p.a.D end },
  },
}
bm.run { model = motor, dt = 0.1, time = 1, output = "x.csv" }
