-- Rates of steps on a GPU, by the device's clock, of the best of two runs: the founding paper's particle and others
-- with events; and what looking for levels, and Lyapunov exponents, cost.
--   bmsim rates.lua   a minute on a GPU; -D paths=N: quick
local bm = require "bmsim"
io.stdout:setvbuf "line"
local paths = bm.args.paths or 1048576
local ramp, wave = bm.potential.piecewise_linear {}, bm.potential.sine {}
local kicks, heat = bm.noise.poisson { D = 1, a = 2.5 }, bm.noise.gaussian { D = 0.1 }
local jumps = bm.overdamped { potential = ramp, noise = kicks }
local thermal = bm.overdamped { potential = ramp, noise = { kicks, heat } }
local smooth = bm.overdamped { potential = wave, noise = { kicks, heat } }
local flips = bm.overdamped { potential = ramp, noise = bm.noise.dichotomous { Fa = 3, Fb = 1.6, tau = 0.2 } }

local function rate(name, model, spp, periods, o)
  o = o or {}
  if paths < 100000 then periods = 5 end
  local best, r = 0
  for _ = 1, 2 do
    r = bm.run {
      model = model, paths = paths, method = o.method or "heun", precision = o.precision,
      periods = not o.dt and periods or nil, spp = not o.dt and spp or nil, dt = o.dt, time = o.dt and periods,
      increments = o.increments, observe = { "velocity", o.observe }, check_step = false, check_transient = false,
    }
    best = math.max(best, paths * periods * spp / tonumber(r.info.device_seconds or r.info.seconds))
  end
  print(("| %s | %d | %s | %s | %s | %.4g |"):format(name, spp, r.info.method, r.info.increments or "-",
                                                    r.info.precision, best / 1e9))
end

print "| work | spp | method | increments | precision | 10^9 steps/s |\n|---|---|---|---|---|---|"
rate("Model I, piecewise linear, D_G = 0", jumps, 400, 2000)
rate("the same", jumps, 50, 8000)
rate("the same", jumps, 16, 16000)
rate("the same", jumps, 400, 1000, { method = "platen" })
rate("the same", jumps, 400, 1000, { precision = "double" })
rate("Model I, piecewise linear, D_G = 0.1", thermal, 400, 1000, { increments = "near_gaussian" })
rate("the same", thermal, 400, 500, { increments = "gaussian" })
rate("the same", thermal, 400, 500, { increments = "near_gaussian", precision = "double" })
rate("Model I, sine, D_G = 0.1", smooth, 400, 1000)
rate("the same", smooth, 16, 8000)
rate("the same", smooth, 400, 200, { precision = "double" })
rate("the same", smooth, 400, 500, { increments = "near_gaussian" })
local tilted = bm.overdamped { potential = bm.potential.formula { "sin(2*pi*x)" }, force = 1,
                               noise = bm.noise.gaussian { D = 0.3 } }
for _, law in ipairs { "gaussian", "near_gaussian", "five_point" } do
  rate("sin(2 pi x), force 1, D = 0.3", tilted, 1000, 20, { increments = law, dt = 1e-3 })
end
rate("Model II, piecewise linear, D_G = 0", flips, 200, 4000)
rate("the same", flips, 16, 16000)
for _, one in ipairs { { "first_passage", bm.observe.first_passage { from = 0, to = 7 } },
                       { "residence", bm.observe.residence { from = -0.6, to = 0.7 } } } do
  rate("Model I with " .. one[1], jumps, 400, 1000, { observe = one[2] })
  rate("Model I, D_G = 0.1, with " .. one[1], thermal, 400, 500, { observe = one[2], increments = "near_gaussian" })
  rate("Model I, sine, D_G = 0.1, with " .. one[1], smooth, 400, 500, { observe = one[2] })
end
rate("Model I, sine, D_G = 0.1, with lyapunov", smooth, 400, 200, { observe = "lyapunov" })
