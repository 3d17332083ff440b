-- How long a free inertial particle remembers its velocity: m dv = -gamma v dt + sqrt(2 gamma T) dW has C(t) =
-- <v(0) v(t)> = (T/m) exp(-gamma t/m). G. E. Uhlenbeck, L. S. Ornstein, Phys. Rev. 36, 823 (1930).
local bm = require "bmsim"
local m, gamma, T = 2, 0.7, 1.5

local r = bm.run {
  model = bm.underdamped { mass = m, gamma = gamma, noise = bm.noise.gaussian { T = T } },
  paths = bm.args.paths or bm.args.full and 65536 or 8192, time = 40, dt = 0.02, transient = 0.1,
  observe = bm.observe.correlation { lags = bm.args.points or 21, step = 0.5, origins = 20 },
}

local C, err = r:array "correlation", r:array("correlation_err").values[1]
local function exact(lag) return T / m * math.exp(-gamma * lag / m) end
local largest = 0
print "lag  correlation  error  exact"
for i, lag in ipairs(C.dims[1].values) do
  local value = C.values[1][i]
  largest = math.max(largest, math.abs(value - exact(lag)) / err[i])
  print(("%.2f  %.5f  %.5f  %.5f"):format(lag, value, err[i], exact(lag)))
end
if bm.args.output then r:write(bm.args.output, "correlation") end
if bm.args.plot then
  r:plot { array = "correlation", log = "y", theory = function(_, lag) return exact(lag) end, file = bm.args.plot }
end
print(("largest deviation: %.2f standard errors"):format(largest))
