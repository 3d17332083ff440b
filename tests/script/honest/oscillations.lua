-- Oscillations and growth.
local bm = require "bmsim"

-- Growth of linear oscillations does not scatter, so that no error bar shows what the step adds to it: the default step
-- resolves the rotation.
do
  local function check(growth, w, most)
    local model = bm.system { variables = { "x", "y" }, parameters = { a = growth, w = w },
                              equations = { x = "a*x + w*y", y = "-w*x + a*y" } }
    local r = bm.run { model = model, time = 6, paths = 32, observe = "lyapunov" }
    local rate = r:column "lyapunov"[1]
    assert(math.abs(rate - growth) < (most or 0.003) * math.abs(growth),
           ("w = %g: %.6g, exact %g"):format(w, rate, growth))
  end
  for _, w in ipairs { 10, 100, 1000 } do
    check(1, w)
    check(-1, w)
  end
  -- And growth without a rotation, or with one that is slower.
  for _, w in ipairs { 0, 0.5 } do
    check(1, w, 0.001)
    check(-2, w, 0.001)
  end
end

-- Oscillations that begin together and far from equilibrium: their mean is known far better than to their width, and at
-- the default step its phase is right to that.
do
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
end

-- Lyapunov exponents of oscillators that noise drives by its parameters, at the default step, which follows the time in
-- which this noise turns the tangent vector, 1/(2 D)^(1/3) for an undamped oscillator of frequency 1.
do
  -- Of x'' = -E x + x xi, <xi xi> = 2 D delta: with z = v/x, dz = -(z^2 + E) dt + sqrt(2 D) dW, whose mean is the
  -- exponent (B. I. Halperin, Phys. Rev. 139, A104, 1965). Damping by gamma shifts E by -gamma^2/4 and the
  -- exponent by -gamma/2.
  local function exponent(E, D, gamma)
    E = E - gamma ^ 2 / 4
    local above, below, h = 0, 0, 2e-4
    for i = 0, 60000 do -- u = s^2
      local s = (i + 0.5) * h
      local weight = math.exp(-(s ^ 6 / 12 + E * s ^ 2) / D)
      above, below = above + s * s * weight, below + weight
    end
    return above / below / 2 - gamma / 2
  end

  local function check(what, r, exact)
    local value, err = r:column "lyapunov"[1], r:column "lyapunov_err"[1]
    assert(math.abs(value - exact) < 0.012 * exact + 4 * err and err < 0.01 * exact,
           ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
  end
  for _, case in ipairs { { 1, 3, 0 }, { 1, 20, 0 }, { 0.1, 1, 0 }, { 1, 10, 0.5 } } do
    local E, D, gamma = unpack(case)
    local model = bm.system {
      variables = { "x" }, inertia = { x = { gamma = gamma } }, equations = { x = "-E*x" }, parameters = { E = E },
      noise = { x = bm.noise.gaussian { D = D, amplitude = "x" } },
    }
    local r = bm.run { model = model, time = 60 / (1 + D / 10), paths = 4096, transient = 0.1, initial = { x = 1 },
                       observe = "lyapunov" }
    check(("E = %g, D = %g, gamma = %g"):format(E, D, gamma), r, exponent(E, D, gamma))
  end
  -- The same without inertia, as two variables of the first order; and in other units of time and length.
  local first = bm.system {
    variables = { "x", "p" }, equations = { x = "20*p", p = "-20*x" },
    noise = { p = bm.noise.gaussian { D = 60, amplitude = "x" } },
  }
  check("two variables", bm.run { model = first, time = 2, paths = 2048, transient = 0.1, initial = { x = 1 },
                                  observe = "lyapunov" },
        20 * exponent(1, 3, 0))
end

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
