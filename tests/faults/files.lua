-- A run that writes all kinds of files.
local bm = require "bmsim"
local r = bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, paths = 64, time = 2, dt = 0.1,
  sweep = { "gaussian.D", { 1, 2, 3 } }, observe = { "velocity", bm.observe.moments {} }, check_step = false,
  output = "table.csv", overwrite = true,
}
r:write "all.nc":plot { x = "gaussian.D", y = "velocity", file = "picture.svg" }
