-- Coordinates say the times that were recorded, r.info.paths what was run, and no table says -0.
local bm = require "bmsim"
local free = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local r = bm.run { model = free, dt = 0.1, time = 2, paths = 32,
  observe = bm.observe.moments { times = { 0.26, 1.01 } } }
local time = r:array("x_cumulant_1").dims[1]
assert(time.name == "time", time.name)
assert(math.abs(time.values[1] - 0.3) < 1e-12 and math.abs(time.values[2] - 1) < 1e-12, "times to the next step")

local halved = bm.run { model = free, dt = 0.1, time = 2, paths = 33, step_error = true }
assert(tostring(halved.info.paths) == "48", "paths that were run: " .. tostring(halved.info.paths))

local drag = bm.run {
  model = bm.underdamped { noise = { bm.noise.gaussian { T = 1 }, bm.noise.poisson { lambda = 5, zeta = 0.5 } } },
  dt = 0.05, time = 20, paths = 64, observe = "efficiency",
}
drag:add("minus", function() return -0.0 end)
for _, name in ipairs { "efficiency_energetic", "minus" } do
  local zero = drag:column(name)[1]
  assert(zero == 0 and 1 / zero > 0, name .. " is -0")
end
