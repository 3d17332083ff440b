-- The check of the step that every run makes, tried on models whose exact values are known, at steps from good to too
-- long, over many seeds: how often an error of the step stayed without a warning, and how often a warning came without
-- one.
local bm = require "bmsim"
package.path = (arg[0]:match "^(.*/)" or "./") .. "?.lua;" .. package.path
local report = require "report"
local noise, potential, theory = bm.noise, bm.potential, bm.theory

local seeds = tonumber(bm.args.seeds) or 200
local paths = tonumber(bm.args.paths) or 1024
local only = bm.args.only or ""

-- name, model, what is observed, its theory, a duration, steps, further options
local cases = {}
local function case(name, model, time, steps, exact, options)
  cases[#cases + 1] = { name = name, model = model, time = time, steps = steps, exact = exact, options = options or {} }
end
local function over(parts) return bm.overdamped(parts) end

case("sine, D 0.1, F 3", over { potential = potential.sine {}, noise = noise.gaussian { D = 0.1 }, force = 3 }, 50,
     { 0.002, 0.005, 0.01, 0.02, 0.03 }, theory.stratonovich)
case("sine, D 1, F 3", over { potential = potential.sine {}, noise = noise.gaussian { D = 1 }, force = 3 }, 20,
     { 0.002, 0.005, 0.01, 0.02, 0.03 }, theory.stratonovich)
case("sine, D 0.3, F 8", over { potential = potential.sine {}, noise = noise.gaussian { D = 0.3 }, force = 8 }, 20,
     { 0.001, 0.003, 0.01, 0.02, 0.03 }, theory.stratonovich)
case("sine, euler", over { potential = potential.sine {}, noise = noise.gaussian { D = 0.5 }, force = 4 }, 20,
     { 0.0005, 0.001, 0.003, 0.01, 0.02 }, theory.stratonovich, { method = "euler" })
case("ratchet, dichotomous", over { potential = potential.ratchet {}, force = 1,
     noise = { noise.gaussian { D = 0.3 }, noise.dichotomous { Fa = 6, Fb = 6, tau = 0.2 } } }, 20,
     { 0.001, 0.003, 0.006, 0.01, 0.02 }, theory.master)
case("sine, Poissonian", over { potential = potential.sine {},
     noise = { noise.gaussian { D = 0.2 }, noise.poisson { D = 1, a = 2 } } },
     40, { 0.002, 0.005, 0.01, 0.02, 0.03 }, theory.master)
case("Model I, heun", over { potential = potential.piecewise_linear {}, noise = noise.poisson { D = 1, a = 2.5 } }, 200,
     { 0.001, 0.003, 0.01, 0.03, 0.1 }, theory.poisson_velocity, { method = "heun" })
case("Model I, D 4, a 1.2", over { potential = potential.piecewise_linear {},
     noise = noise.poisson { D = 4, a = 1.2 } }, 400,
     { 0.003, 0.01, 0.03, 0.1, 0.2 }, theory.poisson_velocity, { method = "heun" })
case("Model I, Gaussian", over { potential = potential.piecewise_linear {},
     noise = { noise.poisson { D = 1, a = 2.5 }, noise.gaussian { D = 0.1 } } }, 100,
     { 0.001, 0.003, 0.01, 0.03, 0.1 }, theory.master)
case("piecewise linear, D 0.2, F 1.2", over { potential = potential.piecewise_linear { k = 0.3 },
     noise = noise.gaussian { D = 0.2 }, force = 1.2 },
     100, { 0.001, 0.003, 0.01, 0.03, 0.1 }, theory.stratonovich)
case("underdamped, thermal", bm.underdamped { mass = 1, gamma = 0.9, potential = potential.sine {},
     noise = noise.gaussian { D = 0.5 }, force = 3 },
     100, { 0.02, 0.05, 0.1, 0.15, 0.2 }, theory.inertial)
case("underdamped, damped", bm.underdamped { mass = 0.05, gamma = 1, potential = potential.sine {},
     noise = noise.gaussian { D = 0.5 }, force = 4 },
     40, { 0.003, 0.01, 0.02, 0.03, 0.05 }, theory.inertial)

-- Totals: runs with an error of the step above 10 standard errors and 5 %, those of them without a warning; runs with
-- one below the standard error, those of them with a warning; runs without a warning, those whose error was below the
-- resolution.
local large, unseen, small, false_alarms, quiet, within = 0, 0, 0, 0, 0, 0

report.begin("checks", ("%d seeds of %d paths. Error of the step: of the mean over all seeds, in %% and in standard "
             .. "errors of one run."):format(seeds, paths),
             { "model", "dt", "error of the step", "standard errors", "warned", "seen in the mean", "resolution" })
for _, one in ipairs(cases) do
  if one.name:find(only, 1, true) then
    for _, dt in ipairs(one.steps) do
      local sum, errors, warned, seen, resolutions, all = 0, 0, 0, 0, 0, {}
      local exact
      for seed = 1, seeds do
        local fields = { model = one.model, dt = dt, time = one.time, paths = paths, seed = seed,
          device = bm.args.device }
        for key, value in pairs(one.options) do fields[key] = value end
        local r = bm.run(fields)
        exact = exact or r:compare(one.exact):column "theory"[1]
        local mark = r:column "step_warning"[1] == 1 or #r.info.warnings > 0
        sum, errors = sum + r:column "velocity"[1], errors + r:column "velocity_err"[1]
        seen, resolutions = seen + r:column "velocity_step_seen"[1],
          resolutions + r:column "velocity_step_resolution"[1]
        warned = warned + (mark and 1 or 0)
        all[seed] = { warned = mark, resolution = r:column "velocity_step_resolution"[1] }
      end
      local bias, err = sum / seeds - exact, errors / seeds
      local size = math.abs(bias) / err
      for _, run in ipairs(all) do
        if size > 10 and math.abs(bias / exact) > 0.05 then
          large, unseen = large + 1, unseen + (run.warned and 0 or 1)
        end
        if size < 1 - 2 / math.sqrt(seeds) then
          small, false_alarms = small + 1, false_alarms + (run.warned and 1 or 0)
        end
        if not run.warned then
          quiet, within = quiet + 1, within + (math.abs(bias) <= run.resolution and 1 or 0)
        end
      end
      report.line { one.name, ("%g"):format(dt), report.percent(exact + bias, err / math.sqrt(seeds), exact),
                    ("%.1f"):format(bias / err), ("%.1f %%"):format(100 * warned / seeds),
                    ("%.1f"):format(seen / seeds / err), ("%.1f"):format(resolutions / seeds / err) }
    end
  end
end
local function part(some, of) return ("%d of %d, %.2f %%"):format(some, of, 100 * some / math.max(1, of)) end
print(("\nError above 10 standard errors and 5 %%, and no warning: %s. Error below the standard error, and a "
       .. "warning: %s. No warning, and the error below the resolution stated: %s."):format(
       part(unseen, large), part(false_alarms, small), part(within, quiet)))
