-- What the host computes beside kernels: default steps, observables of recordings, exact results. Prints all digits
-- that are the same on every processor.
local bm = require "bmsim"
local observe = bm.observe

local function show(name, ...)
  local texts = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    texts[i] = type(value) == "number" and ("%.17g"):format(value) or tostring(value)
  end
  print(name, unpack(texts))
end
local function show_array(name, values)
  if type(values[1]) == "table" then
    for i, part in ipairs(values) do show_array(name .. " " .. i, part) end
  else
    show(name, unpack(values))
  end
end
local function run(name, options)
  options.paths, options.check_step = options.paths or 128, false
  local r = bm.run(options)
  show(name, r.info.method, r.info.steps)
  for _, column in ipairs(r:columns()) do show(name .. " " .. column, unpack(r:column(column))) end
  for _, array in ipairs(r:arrays()) do show_array(name .. " " .. array, r:array(array).values) end
end

local sine, heat = bm.potential.sine {}, bm.noise.gaussian { D = 0.3 }
local heated = bm.overdamped { potential = sine, noise = heat, force = 1 }
local trap = bm.overdamped { potential = bm.potential.harmonic {}, noise = heat,
  drive = bm.drive.cosine { amplitude = 0.5, omega = 2 } }
local inertial = bm.underdamped { gamma = 0.5, potential = sine, noise = bm.noise.gaussian { T = 0.4 }, force = 1 }
local tilted = bm.overdamped { potential = bm.potential.piecewise_linear {}, noise = { heat,
  bm.noise.poisson { D = 1, a = 2.5 } } }
local circling = bm.system { variables = { "x", "y" }, parameters = { w = 1.7 },
  equations = { x = "x*(1 - x^2 - y^2) - w*y", y = "y*(1 - x^2 - y^2) + w*x" },
  noise = { x = bm.noise.gaussian { name = "a", D = 0.1 }, y = bm.noise.gaussian { name = "b", D = 0.2 } } }
local phases = bm.system { variables = { "x", "y" }, parameters = { k = 0.8 }, force = { x = 2, y = 1 },
  equations = { x = "k*sin(2*pi*(y - x))", y = "k*sin(2*pi*(x - y))" }, period = { x = 1, y = 1 },
  noise = { x = bm.noise.gaussian { name = "a", D = 0.5 }, y = bm.noise.gaussian { name = "b", D = 0.3 } } }

run("steps", { model = heated, time = 3, observe = { "velocity", "diffusion", observe.mobility { df = 0.05 } } })
run("steps of inertia", { model = inertial, time = 3 })
run("steps of a system", { model = circling, time = 3, observe = observe.moments {} })
run("adaptive", { model = heated, time = 3, method = "adaptive", dt = 0.02 })
run("no steps", { model = tilted, time = 3 })
run("response", { model = trap, time = 20, dt = 0.05, observe = observe.response { omega = "cosine.omega" } })
run("recordings", { model = heated, time = 20, dt = 0.05, observe = {
  observe.spectrum { samples = 64, segments = 4 }, observe.correlation { of = "position", lags = 10, step = 0.2 },
  observe.density { bins = 10 }, observe.moments { count = 4 } } })

show("kramers", bm.theory.kramers { potential = bm.potential.double_well {}, D = 0.1, from = -1 })
show("lifson_jackson", bm.theory.lifson_jackson { potential = sine, D = 0.5 })
show("stratonovich", bm.theory.stratonovich { potential = sine, D = 0.5, force = 2 })
show("torus", bm.theory.torus { model = phases })
local law = bm.theory.linear { model = bm.overdamped { potential = bm.potential.harmonic { k = 2 }, noise = heat } }
show("linear", law.covariance.x.x, law.correlation(0.5, "x"), law.spectrum(0, "x"))
-- Of large matrices, whose products are rounded in another way.
print("master", ("%.9g"):format(bm.theory.master { model = tilted }))
print("inertial", ("%.9g\t%.9g\t%.9g"):format(bm.theory.inertial { model = inertial }))
