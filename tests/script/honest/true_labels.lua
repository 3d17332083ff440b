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

-- A script may call an average as an error of another one would be called: its label is its own.
local own = bm.run { model = free, dt = 0.1, time = 2, paths = 32, check_step = false,
                     observe = bm.observe.average { q = "x", q_step = "x^2", q_extrapolated = "x^3" } }
own:write "own.nc"
local shown = io.popen("ncdump -h own.nc 2> /dev/null"):read "*a"
if shown ~= "" then
  assert(shown:find('q_step:long_name = "average of x^2"', 1, true), shown)
  assert(shown:find('q:ancillary_variables = "q_err" ;', 1, true), shown)
end

-- The header names the interpretation that noise has. Of heat with friction that is a formula it is one.
for _, case in ipairs { { "T", "1 + v_x^2", nil, "anti_ito" }, { "D", "1", "2 + tanh(x)", "ito" } } do
  local of, gamma, amplitude, name = unpack(case, 1, 4)
  local model = bm.system { variables = { "x" }, inertia = { x = { gamma = gamma } }, interpretation = "ito",
                            noise = { x = bm.noise.gaussian { [of] = 1, amplitude = amplitude } } }
  local file = of .. ".csv"
  bm.run { model = model, dt = 0.1, time = 2, paths = 32, check_step = false }:write(file)
  local header = io.open(file):read "*a"
  assert(header:match "interpretation: (%S+)" == name, header)
end
