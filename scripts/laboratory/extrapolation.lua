-- step_error tried with steps from good to far too long, where schemes are unstable, on models whose exact values are
-- known. An extrapolated value must be within 4 of its own errors of the exact one, or nan. Ends with status 1 if one
-- is not.
local bm = require "bmsim"
package.path = (arg[0]:match "^(.*/)" or "./") .. "?.lua;" .. package.path
local report = require "report"
local noise, potential, theory = bm.noise, bm.potential, bm.theory

local paths = tonumber(bm.args.paths) or 2048
local only = bm.args.only or ""

local models = {
  { "sine, D 0.1, F 3", bm.overdamped { potential = potential.sine {}, noise = noise.gaussian { D = 0.1 }, force = 3 },
    100, theory.stratonovich },
  { "sine, D 1, F 3", bm.overdamped { potential = potential.sine {}, noise = noise.gaussian { D = 1 }, force = 3 }, 40,
    theory.stratonovich },
  { "sine, V0 5", bm.overdamped { potential = potential.sine { V0 = 5 }, noise = noise.gaussian { D = 2 },
    force = 20 }, 20, theory.stratonovich },
  { "ratchet, dichotomous", bm.overdamped { potential = potential.ratchet {}, force = 1,
    noise = { noise.gaussian { D = 0.3 }, noise.dichotomous { Fa = 6, Fb = 6, tau = 0.2 } } }, 40, theory.master },
  { "sine, Poissonian", bm.overdamped { potential = potential.sine {},
    noise = { noise.gaussian { D = 0.2 }, noise.poisson { D = 1, a = 2 } } }, 60, theory.master },
  { "Model I, D 1, a 2.5", bm.overdamped { potential = potential.piecewise_linear {},
    noise = noise.poisson { D = 1, a = 2.5 } }, 300, theory.poisson_velocity },
  { "Model I, Gaussian", bm.overdamped { potential = potential.piecewise_linear {},
    noise = { noise.poisson { D = 1, a = 2.5 }, noise.gaussian { D = 0.1 } } }, 200, theory.master },
  { "piecewise linear", bm.overdamped { potential = potential.piecewise_linear { k = 0.3 },
    noise = noise.gaussian { D = 0.2 }, force = 1.2 }, 100, theory.stratonovich },
  { "underdamped", bm.underdamped { mass = 1, gamma = 0.9, potential = potential.sine {},
    noise = noise.gaussian { D = 0.5 }, force = 3 }, 600, theory.inertial },
  { "underdamped, damped", bm.underdamped { mass = 0.05, gamma = 1, potential = potential.sine {},
    noise = noise.gaussian { D = 0.5 }, force = 4 }, 100, theory.inertial },
}
local factors = { 0.3, 1, 3, 8, 20 }  -- of a good step, by the motion

local bad, given = 0, 0
report.begin("extrapolation", ("step_error with %d paths; dt is 0.3, 1, 3, 8 and 20 times the default step, or 0.02 " ..
                               "where no motion sets it."):format(paths),
             { "model", "dt", "⟨v⟩ exact", "with dt", "extrapolated", "errors off" })
for _, one in ipairs(models) do
  local name, model, time, exact_of = unpack(one)
  if name:find(only, 1, true) then
    local good = bm.run { model = model, time = time, paths = 1, method = model.underdamped and "aboba" or nil,
      check_step = false }
    local base = math.min(good:column "dt"[1], 1e9)
    if good.info.method == "exact" or good.info.why_step == nil then base = 0.02 end
    for _, factor in ipairs(factors) do
      local r = bm.run { model = model, dt = base * factor, time = time, paths = paths, step_error = true,
                         transient = 0.2, device = bm.args.device }
      local exact = r:compare(exact_of):column "theory"[1]
      local v, err = r:column "velocity_extrapolated"[1], r:column "velocity_extrapolated_err"[1]
      local off = (v - exact) / err
      if v == v then given = given + 1 end
      if math.abs(off) > 4 then bad = bad + 1 end
      report.line { name, ("%.2g"):format(base * factor), ("%.5g"):format(exact),
                    report.brief(r:column "velocity"[1], r:column "velocity_err"[1]),
                    v == v and report.brief(v, err) or "nan", v == v and ("%.1f"):format(off) or "" }
    end
  end
end
print(("\n%d of %d extrapolated values are given, %d of them further than 4 errors from the exact one."):format(
  given, #models * #factors, bad))
if bad > 0 then error(bad .. " extrapolated values are wrong", 0) end
