-- A Lyapunov exponent in a potential with kinks would be that of no potential: it is refused, and says why.
local bm = require "bmsim"
local kinks = bm.potential.piecewise_linear { V0 = 1, L = 2, k = 0.3 }
for _, family in ipairs { bm.overdamped, bm.underdamped } do
  local ok, message = pcall(bm.run, {
    model = family { potential = kinks, noise = bm.noise.gaussian { D = 0.3 }, force = 0.4 },
    dt = 0.01, time = 10, paths = 64, observe = "lyapunov",
  })
  assert(not ok)
  assert(tostring(message):find("observe.lyapunov: V' must be continuous", 1, true), tostring(message))
end
