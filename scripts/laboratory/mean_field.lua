-- Rates of mean fields: Kuramoto's phases in systems of many sizes, 10^9 steps/s of whole runs and by the device's
-- clock.
--   bmsim mean_field.lua   some seconds on a GPU; -D paths=N: one size, few systems
local bm = require "bmsim"

local model = bm.system {
  variables = { "theta" }, period = { theta = "2*pi" }, fields = { c = "cos(theta)", s = "sin(theta)" },
  equations = { theta = "K*(s*cos(theta) - c*sin(theta))" },
  noise = { theta = bm.noise.gaussian { D = 1 } }, parameters = { K = 1 },
}

local function row(paths, points, time)
  local r = bm.run {
    model = model, sweep = { "K", bm.linspace(1, 4, points) }, time = time, dt = 0.01, paths = paths, replicas = 16,
    check_step = false, observe = bm.observe.average { r2 = "c^2 + s^2" },
  }
  local device = tonumber(r.info.device_seconds or r.info.seconds)
  print(("| %d | %d | %.1f | %.1f |"):format(paths, 16 * points, r.info.steps_per_second / 1e9,
    tonumber(r.info.steps) / device / 1e9))
end

print "| paths of a system | systems | whole run | device's clock |\n|---|---|---|---|"
if bm.args.paths then
  row(bm.args.paths, 2, 1)
else
  for _, size in ipairs { { 32, 4000, 40 }, { 100, 1000, 60 }, { 1024, 1000, 20 }, { 1024, 1, 400 }, { 4096, 100, 40 },
    { 4096, 1, 400 }, { 16384, 16, 40 }, { 65536, 4, 40 } } do
    row(size[1], size[2], size[3])
  end
end
