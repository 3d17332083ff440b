-- What changes with t during a run is seen by the default step: curvature that grows, jumps, pulses, rates that fall.
local bm = require "bmsim"
local T1 = bm.noise.gaussian { T = 1 }
local function check(what, value, exact, err, part)
  assert(math.abs(value - exact) < part * math.abs(exact) + 4 * err,
    ("%s: %.5g +- %.2g, exact %.5g"):format(what, value, err, exact))
end

-- x' = -k(t) x + noise of D = 1: d var/dt = 2 - 2 k var, by the exact map over a short time, from var = 1
local function variance(k, t)
  local var, n = 1, 20000
  for i = 1, n do
    local h = t / n
    local rate = 2 * k((i - 0.5) * h)
    var = 2 / rate + (var - 2 / rate) * math.exp(-rate * h)
  end
  return var
end
local function variances(what, model, k, times, paths)
  local r = bm.run { model = model, initial = { x = { mean = 0, sd = 1 } }, time = times[#times], transient = 0,
    paths = paths, observe = bm.observe.moments { times = times } }
  assert(#r.info.warnings == 0, what .. ": " .. (r.info.warnings[1] or ""))
  local var, err = r:array "x_cumulant_2".values[1], r:array "x_cumulant_2_err".values[1]
  for i, t in ipairs(times) do check(("%s at %g"):format(what, t), var[i], variance(k, t), err[i], 0.01) end
end
local function trap(V) return bm.overdamped { potential = bm.potential.formula { V }, noise = T1 } end
variances("a trap that jumps", trap "(1+99*(t>1))*x^2/2", function(t) return t > 1 and 100 or 1 end, { 1.1, 2 }, 20000)
variances("a trap that hardens", trap "(1+9*t/2)*x^2/2", function(t) return 1 + 4.5 * t end, { 0.5, 1, 2 }, 20000)
local system = bm.system {
  variables = { "x" }, equations = { x = "-(1+t)*x" }, noise = { x = bm.noise.gaussian { D = 1 } },
}
variances("a system", system, function(t) return 1 + t end, { 10, 30, 49 }, 6000)

local r = bm.run { model = trap "(1+t)*x^2/2", initial = { x = { mean = 0, sd = 1 } }, time = 15, transient = 0.5,
  paths = 2000, observe = bm.observe.average { x2 = "x^2" } }
check("a mean", r:column "x2"[1], 0.0843, r:column "x2_err"[1], 0.01)

-- In a harmonic trap without noise: pulses of an impulse p at 1, and forces that decay.
local function driven(force, t)
  local model = bm.overdamped { potential = bm.potential.harmonic {}, noise = bm.noise.gaussian { D = 0 },
    drive = bm.drive.formula { force } }
  local run = bm.run { model = model, initial = { x = 0 }, time = 2, transient = 0, paths = 64,
    observe = bm.observe.moments { times = { t } } }
  return run:array "x_cumulant_1".values[1][1], run.info.warnings
end
local pulse = 20 * 0.02 * math.sqrt(math.pi) * math.exp(0.0001 - 0.1)
check("a pulse", driven("20*exp(-((t-1)/0.02)^2)", 1.1), pulse, 0, 0.01)
check("a short pulse", driven("200*exp(-((t-1)/0.002)^2)", 1.1), pulse, 0, 0.01)
check("a box", driven("20*((t>1)-(t>1.02))", 1.1), 20 * (math.exp(-0.08) - math.exp(-0.1)), 0, 0.01)
check("a decay", driven("5*exp(-t/0.1)", 0.5), 5 / 9 * (math.exp(-0.5) - math.exp(-5)), 0, 0.01)
local _, warnings = driven("2000*exp(-((t-1)/0.0002)^2)", 1.1)
assert(#warnings == 1 and warnings[1]:find "too long for the motion", "a pulse that is too short for a default step")

r = bm.run { model = bm.overdamped { noise = T1, events = { hop = { rate = "10*exp(-t/0.05)", set = { x = "x+1" } } } },
  initial = { x = 0 }, time = 5, transient = 0, paths = 100000, observe = bm.observe.events {} }
check("events", r:column "hop_rate"[1], 0.1, r:column "hop_rate_err"[1], 0.01)
