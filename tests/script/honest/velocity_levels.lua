-- Velocities that diffuse meet levels within steps of aboba, whose friction damps what noise does over a step, not what
-- it does within it. Exact: mean first passages of an Ornstein-Uhlenbeck velocity, by quadrature, in units of sqrt(T/m)
-- and m/gamma.
local bm = require "bmsim"
local exp, sqrt = math.exp, math.sqrt
local function integral(f, from, to)  -- Simpson's rule
  local n = 400
  local h, sum = (to - from) / n, f(from) + f(to)
  for i = 1, n - 1 do sum = sum + (i % 2 == 1 and 4 or 2) * f(from + i * h) end
  return sum * h / 3
end
local function below(x) return integral(function(y) return exp(-y * y / 2) end, -8, x) end
local function inside(x) return 2 * integral(function(y) return exp(-y * y / 2) end, 0, x) end
local function rise(from, to)  -- from one level to a higher one
  return integral(function(x) return exp(x * x / 2) * below(x) end, from, to)
end
local function leave(a)  -- from 0 to a or -a
  return integral(function(x) return exp(x * x / 2) * inside(x) / 2 end, 0, a)
end

local function check(what, r, name, exact, part)
  local value, err = r:column(name)[1], r:column(name .. "_err")[1]
  assert(math.abs(value - exact) < part * exact + 4 * err and err < part * exact,
         ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
end

local free = bm.system { variables = { "x" }, inertia = { x = true }, noise = { x = bm.noise.gaussian { T = 1 } } }
local function passage(what, options, exact, of, to, name)
  options.model, options.paths, options.initial = options.model or free, 16384, options.initial or { v_x = 0 }
  options.time = options.time or 60
  options.observe = bm.observe.first_passage { of = of, to = to, name = name, bins = 0 }
  check(what, bm.run(options), "mean_first_passage_time_" .. (name or of), exact, 0.012)
end
passage("v to 1.5 or -1.5", {}, leave(1.5), "v_x", { -1.5, 1.5 })
passage("v to 1.5 or -1.5, dt = 0.24", { dt = 0.24 }, leave(1.5), "v_x", { -1.5, 1.5 })
passage("v to 1.5 or -1.5, heun", { dt = 0.12, method = "heun" }, leave(1.5), "v_x", { -1.5, 1.5 })
passage("v to 1", { time = 80 }, rise(0, 1), "v_x", 1)
passage("v^2 to 2.25", { initial = { v_x = 0.001 } }, leave(1.5), "v_x^2", 2.25, "square")
local slow = bm.system { variables = { "x" }, inertia = { x = { mass = 2, gamma = 0.5 } },
                         noise = { x = bm.noise.gaussian { T = 3 } } }
passage("m = 2, gamma = 0.5, T = 3", { model = slow, time = 240 }, 4 * leave(1.5), "v_x",
        { -1.5 * sqrt(1.5), 1.5 * sqrt(1.5) })
local undamped = bm.system { variables = { "x" }, inertia = { x = { gamma = 0 } },
                             noise = { x = bm.noise.gaussian { D = 0.5 } } }
passage("without friction", { model = undamped, time = 20 }, 1, "v_x", { -1, 1 })

-- the step's own error, seen by coarse steps of the same scheme, is not that of another
local r = bm.run { model = free, dt = 0.24, time = 60, paths = 16384, initial = { v_x = 0 }, step_error = true,
                   observe = bm.observe.first_passage { of = "v_x", to = { -1.5, 1.5 }, bins = 0 } }
check("with step_error", r, "mean_first_passage_time_v_x", leave(1.5), 0.015)
check("extrapolated", r, "mean_first_passage_time_v_x_extrapolated", leave(1.5), 0.03)

r = bm.run { model = free, dt = 0.2, time = 200, transient = 0.05, paths = 2048,
             observe = bm.observe.residence { of = "v_x", from = -1, to = 1 } }
check("residence", r, "residence_low_v_x", rise(-1, 1), 0.012)
check("residence", r, "residence_high_v_x", rise(-1, 1), 0.012)
local reset = bm.system { variables = { "x" }, inertia = { x = true }, noise = { x = bm.noise.gaussian { T = 1 } },
                          events = { fast = { when = "v_x - 1", direction = "up", set = { v_x = "0" } } } }
r = bm.run { model = reset, dt = 0.1, time = 400, transient = 0.05, paths = 1024, initial = { v_x = 0 },
             observe = "events" }
check("events at a velocity", r, "fast_rate", 1 / rise(0, 1), 0.02)

-- Turning points of a velocity, and of a sum of velocities: the default step follows the noise over the threshold. Free
-- over short times, a velocity turns 2 D/threshold^2 times a time, D = gamma T/m^2.
local pair = bm.system { variables = { "x", "y" }, inertia = { x = true, y = true },
                         noise = { x = bm.noise.gaussian { name = "of_x", T = 1 },
                                   y = bm.noise.gaussian { name = "of_y", T = 1 } } }
for _, case in ipairs { { free, "v_x", "v_x", 1 }, { pair, "v_x + v_y", "sum", 2 } } do
  local model, of, name, D = unpack(case)
  local function turns(dt)
    return bm.run { model = model, dt = dt, time = 2, paths = 256, observe = bm.observe.turning_points {
      of = of, name = name ~= of and name or nil, threshold = 0.2 } }
  end
  r = turns()
  assert(#r.info.warnings == 0, table.concat(r.info.warnings, "; "))
  check("turning points of " .. of, r, "turning_rate_" .. name, 2 * D / 0.2 ^ 2, 0.04)
  -- the step that is advised is short enough
  local text = table.concat(turns(0.01).info.warnings, "; ")
  r = turns(tonumber(text:match "noise of a step; dt = (%S+) would do"))
  check("turning points of " .. of, r, "turning_rate_" .. name, 2 * D / 0.2 ^ 2, 0.04)
end
