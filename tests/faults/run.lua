-- A sweep, recorded values and a target, in two runs of a script: about a third of a second of one core.
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
local first = bm.run {
  model = model, paths = 4000, time = 40, dt = 0.01, sweep = { { "force", bm.linspace(0, 1, 12) } },
  observe = { "velocity", bm.observe.moments { count = 4 } }, check_step = false,
  output = "first.csv", overwrite = true,
}
local file = assert(io.open("moments.csv", "w"))
for _, one in ipairs(first:arrays()) do
  for _, values in ipairs(first:array(one.name or one).values) do
    for _, value in ipairs(type(values) == "table" and values or { values }) do file:write(tostring(value), "\n") end
  end
end
assert(file:close())
bm.run {
  model = model, paths = 2000, time = 60, dt = 0.01, observe = { "velocity", "diffusion" }, limit = 20000,
  target = { velocity = { abs = 1e-6 * (1 + first:column("velocity")[1]) } }, output = "second.csv", overwrite = true,
}
