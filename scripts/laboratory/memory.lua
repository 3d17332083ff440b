-- The checks of the transient and of memory that every run makes, tried on models whose exact values are known, in runs
-- from far shorter to far longer than these remember, over many seeds: how often a wrong value stayed without a
-- warning, and how often a warning came where nothing was wrong.
--   bmsim memory.lua   -D seeds=N, -D paths=N, -D only=PART OF A NAME
local bm = require "bmsim"
package.path = (arg[0]:match "^(.*/)" or "./") .. "?.lua;" .. package.path
local report = require "report"
local noise, potential = bm.noise, bm.potential

local seeds = tonumber(bm.args.seeds) or 200
local paths = tonumber(bm.args.paths) or 1024
local only = bm.args.only or ""

-- name, model, what is observed, its column, the exact value in a stationary state, durations, further options
local cases = {}
local function case(name, model, observe, column, exact, times, options)
  cases[#cases + 1] = { name = name, model = model, observe = observe, column = column, exact = exact, times = times,
                        options = options or {}, short = name:find "two speeds" }
end
local gaussian, average = noise.gaussian, bm.observe.average
local trap = bm.overdamped { potential = potential.harmonic {}, noise = gaussian { D = 1 } }
local two_speeds = bm.overdamped { noise = { gaussian { D = 0.1 }, noise.dichotomous { Fa = 1, Fb = 1, tau = 1 } } }
local wells = bm.overdamped { potential = bm.potential.formula { "x^4/4 - x^2/2" }, noise = gaussian { D = 0.1 } }
local tilted = bm.overdamped { potential = potential.sine {}, noise = gaussian { D = 0.5 }, force = 3 }
local kicked = bm.overdamped { potential = potential.piecewise_linear {}, noise = noise.poisson { D = 0.1, a = 2.5 } }
local driven = bm.overdamped { potential = potential.harmonic {}, noise = gaussian { D = 0.2 },
                               drive = bm.drive.cosine { amplitude = 1, omega = 2 * math.pi } }

case("free", bm.overdamped { noise = gaussian { D = 1 }, force = 1 }, "diffusion", "diffusion", 1, { 1, 10 },
     { dt = 0.02 })
case("free, with inertia", bm.underdamped { noise = gaussian { T = 1 } }, "diffusion", "diffusion", 1,
     { 1, 3, 10, 30, 100 }, { dt = 0.05, initial = { v = 0 } })
case("two speeds", two_speeds, "diffusion", "diffusion", 1.1, { 0.5, 2, 5, 20, 100 }, { dt = 0.02 })
case("two speeds, mean", two_speeds, "velocity", "velocity", 0, { 0.5, 5, 50 }, { dt = 0.02 })
case("coloured noise", bm.overdamped { noise = noise.ornstein_uhlenbeck { D = 1, tau = 1 } }, "diffusion", "diffusion",
     1, { 0.5, 2, 5, 20, 100 }, { dt = 0.02 })
case("trap, spread", trap, average { x2 = "x^2" }, "x2", 1, { 0.5, 1, 2, 5, 20, 50 },
     { dt = 0.01, initial = { x = 0 } })
case("trap, place", trap, average { x = "x" }, "x", 0, { 1, 3, 10, 30 }, { dt = 0.01, initial = { x = 2 } })
case("trap, diffusion", trap, "diffusion", "diffusion", 0, { 10, 50 }, { dt = 0.02 })
case("two wells", wells, average { side = "x" }, "side", 0, { 10, 50, 200 }, { initial = { x = 1 } })
case("tilted sine", tilted, "velocity", "velocity", bm.theory.stratonovich { model = tilted }, { 2, 20, 100 })
case("rare kicks", kicked, "velocity", "velocity", bm.theory.poisson_velocity { model = kicked },
     { 100, 300, 1000 }, { spp = 20 })
case("driven trap", driven, average { x = "x" }, "x", 0, { 10, 40 }, { dt = 0.01, initial = { x = 1 } })

local function warns_of_memory(r)
  for _, text in ipairs(r.info.warnings or {}) do
    if text:find "start is still" or text:find "still grows" or text:find "remember" then return true end
  end
  return false
end

-- Runs with an error of the start above two standard errors and 2 %, and those of them without a warning; the same
-- above four; runs with one below half a standard error, and those of them with a warning.
local wrong, missed, large, unseen, right, false_alarms = 0, 0, 0, 0, 0, 0
report.begin("memory", ("%d seeds of %d paths. Error of the start: of the mean over all seeds, in standard errors of "
             .. "one run."):format(seeds, paths), { "model", "time", "exact", "mean", "error of the start", "warned" })
for _, one in ipairs(cases) do
  if one.name:find(only, 1, true) then
    for _, time in ipairs(one.times) do
      local sum, squares, errors, warned = 0, 0, 0, 0
      for seed = 1, seeds do
        local fields = { model = one.model, time = time, paths = paths, seed = seed, observe = one.observe,
                         device = bm.args.device, check_step = false }
        for key, value in pairs(one.options) do fields[key] = value end
        -- paths with clocks of their own are compared from 256 to 1024 steps on, by how many paths there are
        if one.short then fields.dt = math.min(fields.dt, time / 1250) end
        local r = bm.run(fields)
        local value = r:column(one.column)[1]
        sum, squares = sum + value, squares + value ^ 2
        errors = errors + r:column(one.column .. "_err")[1]
        warned = warned + (warns_of_memory(r) and 1 or 0)
      end
      local mean, err = sum / seeds, errors / seeds
      local bias, its = math.abs(mean - one.exact) / err, 1 / math.sqrt(seeds)
      if bias > 2 and math.abs(mean - one.exact) > 0.02 * math.abs(one.exact) then
        wrong, missed = wrong + seeds, missed + seeds - warned
        if bias > 4 then large, unseen = large + seeds, unseen + seeds - warned end
      elseif bias < 0.5 + 2 * its then
        right, false_alarms = right + seeds, false_alarms + warned
      end
      report.line { one.name, ("%g"):format(time), ("%.4g"):format(one.exact),
                    report.brief(mean, err / math.sqrt(seeds)), ("%.1f"):format(bias),
                    ("%.1f %%"):format(100 * warned / seeds) }
    end
  end
end
local function part(some, of) return ("%d of %d, %.2f %%"):format(some, of, 100 * some / math.max(1, of)) end
print(("\nError of the start above 2 standard errors and 2 %%, and no warning: %s; above 4: %s. Below half a standard "
       .. "error, and a warning: %s."):format(part(missed, wrong), part(unseen, large), part(false_alarms, right)))
