local bm = require "bmsim"
local motor = bm.overdamped {
  noise = bm.noise.poisson { Dp = 1, a = 2.5 },
}
