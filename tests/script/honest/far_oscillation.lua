-- Oscillations that begin together and far from equilibrium: their mean is known far better than to their width, and at
-- the default step its phase is right to that.
local bm = require "bmsim"

local function check(gamma, times, initial, exact)
  local model = bm.underdamped { potential = bm.potential.harmonic {}, gamma = gamma,
                                 noise = bm.noise.gaussian { T = 0.01 } }
  local r = bm.run { model = model, time = times[#times], paths = 1024, initial = initial,
                     observe = bm.observe.moments { times = times } }
  local mean, err = r:array("x_cumulant_1").values[1], r:array("x_cumulant_1_err").values[1]
  for i, t in ipairs(times) do
    assert(math.abs(mean[i] - exact(t)) < 4 * err[i] + 0.001,
           ("gamma = %g, t = %g: %.5g +- %.2g, not %.5g"):format(gamma, t, mean[i], err[i], exact(t)))
  end
  assert(not table.concat(r.info.warnings, "\n"):find "the step makes an error", r.info.warnings[1])
end
for _, gamma in ipairs { 0.02, 0.1 } do
  local omega = math.sqrt(1 - gamma ^ 2 / 4)
  local function decay(t) return math.exp(-gamma * t / 2) end
  check(gamma, { 10, 33, 60 }, { x = 10, v = 0 }, function(t)
    return 10 * decay(t) * (math.cos(omega * t) + gamma / 2 / omega * math.sin(omega * t))
  end)
  check(gamma, { 11, 35 }, { x = 0, v = 10 }, function(t) return 10 / omega * decay(t) * math.sin(omega * t) end)
end
