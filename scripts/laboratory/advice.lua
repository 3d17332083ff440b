-- Does the advice of the check of the step help? Models with steps that are too long, of many kinds and observables:
-- every run that is warned of its step is made again, with other random numbers, with the shortest step that a warning
-- names. Counted are those whose second run has no such warning.
local bm = require "bmsim"
local noise, potential, observe = bm.noise, bm.potential, bm.observe

local paths = tonumber(bm.args.paths) or 2048
local only = bm.args.only or ""

local cases = {}
local function case(name, model, steps, options)
  cases[#cases + 1] = { name = name, model = model, steps = steps, options = options }
end
local function gaussian(D) return noise.gaussian { D = D } end
local function over(parts) return bm.overdamped(parts) end

local average = observe.average
local sine, trap = potential.sine {}, potential.harmonic {}
case("sine, F 3, velocity", over { potential = sine, noise = gaussian(0.3), force = 3 }, { 0.012, 0.03 }, { time = 30 })
case("sine, F 1, moments", over { potential = sine, noise = gaussian(0.5), force = 1 }, { 0.01, 0.02 },
     { time = 10, observe = observe.moments { times = { 5, 10 } } })
case("sine, density", over { potential = sine, noise = gaussian(0.2) }, { 0.01, 0.02 },
     { time = 10, observe = observe.density { bins = 40 } })
case("sine, current", over { potential = sine, noise = gaussian(0.3), force = 3 }, { 0.012, 0.02 },
     { time = 20, observe = observe.current { bins = 20 } })
case("trap, moments", over { potential = trap, noise = gaussian(1) }, { 0.5, 0.8 },
     { time = 16, initial = { x = 3 }, observe = observe.moments { times = { 4, 8, 16 } } })
case("trap, density", over { potential = trap, noise = gaussian(1) }, { 0.5, 0.8 },
     { time = 16, observe = observe.density { range = { -4, 4 }, bins = 40 } })
case("trap, correlation", over { potential = trap, noise = gaussian(1) }, { 0.4, 0.6 },
     { time = 96, observe = observe.correlation { of = "position", step = 1.2, lags = 6 } })
case("trap, spectrum", over { potential = trap, noise = gaussian(1) }, { 0.4, 0.6 },
     { time = 240, observe = observe.spectrum { of = "position", step = 1.2, samples = 32, segments = 8 } })
case("trap, average", over { potential = trap, noise = gaussian(1) }, { 0.5, 0.8 },
     { time = 50, observe = average { x2 = "x^2", x4 = "x^4" } })
local quartic = potential.formula { "x^4/4 - x^2/2" }
case("double well, average", over { potential = quartic, noise = gaussian(0.3) }, { 0.2, 0.3 },
     { time = 40, observe = average { x2 = "x^2", x4 = "x^4" } })
case("double well, density", over { potential = quartic, noise = gaussian(0.3) }, { 0.2, 0.3 },
     { time = 40, observe = observe.density { range = { -2, 2 }, bins = 40 } })
case("ramp, density", bm.system { variables = { "x" }, equations = { x = "-4*sign(x)" }, noise = { x = gaussian(1) } },
     { 0.05, 0.1 }, { time = 10, initial = { x = 0 }, observe = observe.density { range = { -0.25, 0.25 }, bins = 2 } })
case("ramp, average", bm.system { variables = { "x" }, equations = { x = "-4*sign(x)" }, noise = { x = gaussian(1) } },
     { 0.05, 0.1 }, { time = 10, initial = { x = 0 }, observe = average { x2 = "x^2" } })
case("sawtooth, moments", over { potential = potential.piecewise_linear { V0 = 1 }, noise = gaussian(0.2), force = 2 },
     { 0.01, 0.03 }, { time = 10, observe = observe.moments { times = { 5, 10 } } })
case("sawtooth, velocity", over { potential = potential.piecewise_linear { V0 = 1 }, noise = gaussian(0.2), force = 2 },
     { 0.01, 0.03 }, { time = 30 })
local swing = bm.underdamped { mass = 1, gamma = 0.9, potential = sine, noise = gaussian(0.5), force = 3 }
case("swing, velocity", swing, { 0.12, 0.2 }, { time = 60 })
case("swing, velocity density", swing, { 0.12, 0.2 },
     { time = 24, observe = observe.velocity_density { range = { -4, 8 }, bins = 24 } })
case("swing, kinetic energy", swing, { 0.12, 0.2 }, { time = 60, observe = "kinetic_energy" })
case("oscillator, moments",
     bm.underdamped { mass = 1, gamma = 0.3, potential = trap, noise = noise.gaussian { T = 1 } },
     { 0.4, 0.8 }, { time = 16, initial = { x = 3, v = 0 }, observe = observe.moments { times = { 8, 16 } } })
case("driven trap, response", over { potential = trap, noise = gaussian(0.1),
     drive = bm.drive.cosine { amplitude = 1, omega = 2 } }, { 0.2, 0.4 },
     { periods = 20, observe = observe.response { omega = "cosine.omega" } })
case("driven sine, velocity", over { potential = sine, noise = gaussian(0.3),
     drive = bm.drive.cosine { amplitude = 5, omega = 5 }, force = 1 }, { 0.012, 0.02 }, { periods = 40 })
case("passage", over { noise = gaussian(1), potential = trap }, { 0.1, 0.3 },
     { time = 40, initial = { x = 0 }, observe = observe.first_passage { to = { -1.5, 1.5 } } })
case("geometric", bm.system { variables = { "x" }, equations = { x = "-x + 1" }, interpretation = "ito",
     noise = { x = noise.gaussian { D = 0.2, amplitude = "x" } } }, { 0.2, 0.5 },
     { time = 10, initial = { x = 1 }, observe = average { x = "x", x2 = "x^2" } })
case("euler, sine", over { potential = sine, noise = gaussian(0.5), force = 4 }, { 0.004, 0.012 },
     { time = 20, method = "euler" })
case("euler, moments", over { potential = trap, noise = gaussian(1) }, { 0.1, 0.3 },
     { time = 12, method = "euler", observe = observe.moments { times = { 6, 12 } } })
case("Poissonian, velocity", over { potential = sine, noise = { gaussian(0.2), noise.poisson { D = 1, a = 2 } } },
     { 0.02, 0.03 }, { time = 40 })
case("Poissonian, density", over { potential = sine, noise = { gaussian(0.2), noise.poisson { D = 1, a = 2 } } },
     { 0.02, 0.03 }, { time = 20, observe = observe.density { bins = 20 } })
case("work", over { potential = trap, noise = gaussian(0.3), drive = bm.drive.cosine { amplitude = 2, omega = 3 } },
     { 0.1, 0.2 }, { periods = 20, observe = observe.work {} })
case("coupled", bm.system { variables = { "x", "y" }, equations = { x = "-x + y", y = "-2*y - x^3" },
     noise = { x = noise.gaussian { name = "a", D = 0.5 }, y = noise.gaussian { name = "b", D = 0.5 } } },
     { 0.15, 0.3 }, { time = 30, observe = average { x2 = "x^2", xy = "x*y" } })

local function step_warnings(r)
  local all, dt = {}, math.huge
  for _, text in ipairs(r.info.warnings) do
    local advised = text:match "dt = ([%d.e+-]+) would"
    if advised then all[#all + 1], dt = text, math.min(dt, tonumber(advised)) end
  end
  return all, dt
end

local warned, quiet, total = 0, 0, 0
for _, one in ipairs(cases) do
  if one.name:find(only, 1, true) then
    for _, dt in ipairs(one.steps) do
      local function go(step, seed)
        local fields = { model = one.model, dt = step, paths = paths, seed = seed }
        for key, value in pairs(one.options) do fields[key] = value end
        return bm.run(fields)
      end
      local ok, first = pcall(go, dt, 1)
      total = total + 1
      if not ok then
        print(("%-26s %-6g %s"):format(one.name, dt, first))
      else
        local texts, advised = step_warnings(first)
        local line = ("%-26s %-6g "):format(one.name, dt)
        if #texts == 0 then
          print(line .. "no warning; " .. (first.info.step_check or ""))
        else
          warned = warned + 1
          local second = go(advised, 2)
          local again = step_warnings(second)
          if #again == 0 then quiet = quiet + 1 end
          print(("%s-> %-9g %s"):format(line, advised, #again == 0 and "quiet" or "AGAIN: " .. again[1]))
          if bm.args.verbose then print("   first: " .. texts[1]) end
        end
      end
    end
  end
end
print(("\n%d of %d were warned; after one step that was advised %d of these had no warning."):format(warned, total,
      quiet))
