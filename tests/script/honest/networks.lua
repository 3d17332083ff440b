-- Networks, and long sweeps of systems: what is computed once for many.
local bm = require "bmsim"

-- Nine phases, coupled all to all, with a lag, a drive and second harmonics, without noise. Kernels compute the sines
-- of their differences from those of each phase. Held to the method of Runge and Kutta.
do
  local N, lag, K, time = 9, 0.3, 0.7, 2
  local names, equations, period, start = {}, {}, {}, {}
  for i = 1, N do
    local terms = { ("%.1f + 0.3*cos(2*t - x%d)"):format(0.2 * i, i) }
    for j = 1, N do
      if j ~= i then
        terms[#terms + 1] = ("K/9*sin(x%d - x%d - lag)"):format(j, i)
        terms[#terms + 1] = ("K/20*cos(x%d + x%d)"):format(i, j)
        terms[#terms + 1] = ("K/15*sin(2*(x%d - x%d))"):format(i, j)
      end
    end
    local x = "x" .. i
    names[i], equations[x], period[x], start[x] = x, table.concat(terms, " + "), "2*pi", 0.37 * i - 1.5
  end
  local function rates(x, t)
    local f = {}
    for i = 1, N do
      f[i] = 0.2 * i + 0.3 * math.cos(2 * t - x[i])
      for j = 1, N do
        if j ~= i then
          f[i] = f[i] + K / 9 * math.sin(x[j] - x[i] - lag) + K / 20 * math.cos(x[i] + x[j]) +
                   K / 15 * math.sin(2 * (x[i] - x[j]))
        end
      end
    end
    return f
  end
  local function moved(x, f, h)
    local y = {}
    for i = 1, N do y[i] = x[i] + h * f[i] end
    return y
  end
  local x, steps = {}, 2000
  local h = time / steps
  for i = 1, N do x[i] = start["x" .. i] end
  for n = 0, steps - 1 do
    local t = n * h
    local k1 = rates(x, t)
    local k2 = rates(moved(x, k1, h / 2), t + h / 2)
    local k3 = rates(moved(x, k2, h / 2), t + h / 2)
    local k4 = rates(moved(x, k3, h), t + h)
    for i = 1, N do x[i] = x[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) end
  end
  for precision, bound in pairs { single = 2e-4, double = 5e-6 } do
    local r = bm.run {
      model = bm.system { variables = names, equations = equations, period = period,
                          parameters = { K = K, lag = lag } },
      initial = start, time = time, dt = 1e-3, method = "heun", paths = 1, transient = 0, precision = precision,
      check_step = false, check_transient = false, observe = bm.observe.paths { paths = 1, times = { time } },
    }
    for i = 1, N do
      local got = r:array("paths_x" .. i).values[1][1]
      assert(math.abs(got - x[i]) < bound, ("%s: x%d = %.8g, not %.8g"):format(precision, i, got, x[i]))
    end
  end
end

-- In a sweep of more than 256 points, points that move alike share the time scales that short paths found at one of
-- them. Each has about the step that it has alone, also where a pair of parameters makes a well narrow.
do
  local function run(a, w, dt)
    return bm.run {
      model = bm.system { variables = { "x", "y" }, parameters = { a = 1, w = 1 }, equations = {
        x = "-a*x + y - 3*x*exp(-(x - 1)^2/(2*w^2))/w", y = "-a*y - x" },
        noise = { x = bm.noise.gaussian { D = 0.3 } } },
      sweep = { bm.zip { { "a", a }, { "w", w } } }, paths = 1, time = 2, transient = 0, dt = dt, check_step = false,
      initial = { x = 0, y = 0 }, observe = bm.observe.paths { paths = 1, count = 2 },
    }
  end
  local a, w, state = {}, {}, 7
  local function number()
    state = (state * 16807) % 2147483647
    return state / 2147483647
  end
  for i = 1, 600 do a[i], w[i] = 0.5 * 16 ^ number(), 0.03 * 30 ^ number() end
  local together = run(a, w)
  for k = 1, 600, 37 do
    local alone = run({ a[k] }, { w[k] })
    local ratio = together:column "dt"[k] / alone:column "dt"[1]
    assert(ratio > 1 / 1.5 and ratio < 1.5, ("a = %.3g, w = %.3g: %.3g times the step"):format(a[k], w[k], ratio))
  end
end
