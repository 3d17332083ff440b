-- Structure that no sampling at fixed places sees.
local bm = require "bmsim"

-- Structure of V that no sampling at fixed places sees: the default step resolves it, and numbers are right. Wells,
-- barriers and steps whose width is a small part of their range.
do
  local gaussian = bm.noise.gaussian
  local function check(what, r, name, exact, part)
    local value, err = r:column(name)[1], r:column(name .. "_err")[1]
    assert(math.abs(value - exact) < part * exact + 4 * err and err < part * exact,
           ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
  end
  local function boltzmann(V, T, where, from, to)  -- by parts that are short where V is narrow
    local sum, inside = 0, 0
    local function add(a, b, n)
      for i = 1, n do
        local x = a + (b - a) * (i - 0.5) / n
        local weight = math.exp(-V(x) / T) * (b - a) / n
        sum, inside = sum + weight, inside + (where(x) and weight or 0)
      end
    end
    add(-6, from, 4000) add(from, to, 40000) add(to, 6, 4000)
    return inside / sum
  end

  -- A narrow well in a parabola, with inertia and without.
  local V_text = "x^2/2 - A*exp(-((x-0.8123)/w)^2)"
  local function check_law(what, make, noise, A, w, half, options, part)
    local function V(x) return x ^ 2 / 2 - A * math.exp(-((x - 0.8123) / w) ^ 2) end
    local exact = boltzmann(V, 0.5, function(x) return math.abs(x - 0.8123) < half end, 0.75, 0.87)
    local r = bm.run { model = make { potential = bm.potential.formula { V_text, A = A, w = w },
                                      noise = gaussian(noise), gamma = noise.T and 10 },
                       initial = { x = 0.8 }, time = options[1], paths = options[2], transient = 0.2,
                         check_step = false,
                       observe = bm.observe.average { p = ("if(abs(x-0.8123)<%g,1,0)"):format(half) } }
    check(what, r, "p", exact, part)
  end
  check_law("well", bm.underdamped, { T = 0.5 }, 2.5, 0.004, 0.012, { 300, 64 }, 0.1)
  check_law("well without inertia", bm.overdamped, { D = 0.5 }, 1.5, 0.005, 0.012, { 8, 64 }, 0.15)

  -- The step: no longer than what the structure asks for, and not far shorter. Runs of some hundred steps.
  local function step(model, time)
    local r = bm.run { model = model, time = time, paths = 16, check_step = false, observe = bm.observe.velocity {} }
    return r:column("dt")[1]
  end
  local function resolves(what, model, scale)
    local dt = step(model, 40 * scale)
    assert(dt < 0.2 * scale and dt > 0.002 * scale, ("%s: dt = %g, where %g resolves it"):format(what, dt, 0.1 * scale))
  end
  local function formula(text, given)
    given[1] = text
    return bm.overdamped { potential = bm.potential.formula(given), noise = gaussian { D = 0.5 } }
  end
  for _, one in ipairs { { 4, 0.002 }, { -4, 0.001 }, { 2, 1e-4 }, { 4, 1e-5 } } do
    local A, w = unpack(one)
    resolves(("A = %g, w = %g"):format(A, w), formula(V_text, { A = A, w = w }), w ^ 2 / 2 / math.abs(A))
  end
  -- What is shallow against the temperature asks for no shorter step.
  assert(step(formula(V_text, { A = 1e-4, w = 0.002 }), 10) > 0.09)
  for _, w in ipairs { 1e-3, 1e-4 } do
    resolves("tanh", formula("x^2/2 + 2*tanh((x+1.2345)/w)", { w = w }), w ^ 2 / 1.54)
    resolves("period", formula("0.1*cos(2*pi*x/L) - 2*exp(-(sin(pi*(x-0.618)/L)/w)^2)", { w = w, L = 1 }),
             w ^ 2 / (4 * math.pi ^ 2))
  end

  -- A well of one node of a table. The part of paths that are in it after they began there: 0.5995(20), by steps that
  -- are a third of the default ones.
  do
    local n, L, k, A = 2048, 50, 700, 2.5
    local h, V = L / n, {}
    for i = 1, n do V[i] = 0.3 * math.cos(2 * math.pi * (i - 1) / n) end
    V[k] = V[k] - A
    local table_model = bm.overdamped { potential = bm.potential.table { V = V, L = L }, noise = gaussian { D = 0.5 } }
    local x0 = (k - 1) * h
    local r = bm.run { model = table_model, time = 1, transient = 0.5, paths = 1000, initial = { x = x0 },
                       check_step = false, check_transient = false, observe = bm.observe.average {
                         p = ("if(cos(2*pi*(x - %.10f)/50) > %.14f, 1, 0)"):format(x0,
                           math.cos(2 * math.pi * h / L)) } }
    local p, err, dt = r:column "p"[1], r:column "p_err"[1], r:column "dt"[1]
    assert(math.abs(p - 0.5995) < 4 * err and err < 0.015, ("table: %g(%g)"):format(p, err))
    assert(dt < 0.05 * h * h / A, ("table: dt = %g"):format(dt))
  end

  -- Of smooth functions of more than three coordinates bounds leave much open. That is no reason for a warning, but
  -- said.
  do
    local names, noise = { "a", "b", "c", "d" }, {}
    for _, one in ipairs(names) do noise[one] = gaussian { D = 0.5, name = "of_" .. one } end
    local function why(V)
      local model = bm.system { variables = names, noise = noise, potential = { bm.potential.formula { V } } }
      local r = bm.run { model = model, time = 0.5, paths = 4, check_step = false,
                         observe = bm.observe.average { a = "a^2" } }
      for _, warning in ipairs(r.info.warnings or {}) do assert(not warning:find "too complicated", warning) end
      return r.info.why_step
    end
    local trap, said = "(a^2 + b^2 + c^2 + d^2)/2", "bounds do not rule out narrow structure of potential.formula"
    local text = why(trap .. " + 2*exp(-((a - c)^2 + (b - d)^2)/0.5)")
    assert(text:find(said, 1, true), text)
    text = why(trap .. " + (a - c)^2*(b - d)^2/4")
    assert(not text:find(said, 1, true), text)
  end
end

-- Exact results of formulas with structure that is narrower than any samples: wells, barriers and amplitudes of a part
-- of 1e-5 of the period. References: quadratures by parts that are short where the formula is narrow.
do
  local exp, cos, sin, pi = math.exp, math.cos, math.sin, math.pi
  local place, n = 0.3137, 40000

  -- The integral over a period of a function of the distance from the place, in parts that grow with it.
  local function integral(w, f)
    local most = math.log(0.5 / w + math.sqrt(0.25 / w ^ 2 + 1))
    local sum, last = 0, -0.5
    for i = 1, n do
      local z = most * (2 * i / n - 1)
      local s = w * (exp(z) - exp(-z)) / 2
      sum, last = sum + f((s + last) / 2, s - last), s
    end
    return sum
  end
  local function check(what, value, exact)
    assert(math.abs(value / exact - 1) < 1e-4, ("%s: %.8g, exact %.8g"):format(what, value, exact))
  end

  local D, F = 0.5, 1
  for _, w in ipairs { 0.01, 1e-5 } do
    for _, A in ipairs { 8, -8 } do
      local function V(s) return cos(2 * pi * (place + s)) + A * exp(-(sin(pi * s) / (pi * w)) ^ 2) end
      local up = integral(w, function(s, ds) return exp(V(s) / D) * ds end)
      local down = integral(w, function(s, ds) return exp(-V(s) / D) * ds end)
      local potential = bm.potential.formula { "cos(2*pi*x/L) + A*exp(-(sin(pi*(x - x0)/L)/(pi*w))^2)", A = A, w = w,
                                               L = 1, x0 = place }
      local what = ("A = %g, w = %g"):format(A, w)
      check("lifson_jackson, " .. what, (bm.theory.lifson_jackson { potential = potential, D = D }), D / (up * down))

      local function U(s) return V(s) - F * s end
      local all, below = integral(w, function(s, ds) return exp(-U(s) / D) * ds end), 0
      local sum = integral(w, function(s, ds)
        local here = exp(-U(s) / D) * ds
        below = below + here / 2
        local density = exp(U(s) / D) * (below + (all - below) * exp(-F / D)) * ds
        below = below + here / 2
        return density
      end)
      check("stratonovich, " .. what, (bm.theory.stratonovich { potential = potential, D = D, force = F }),
            D * (1 - exp(-F / D)) / sum)
    end

    -- An amplitude, after Ito: D_eff is the harmonic mean of D.
    local function b(s) return 1 - 0.9 * exp(-(sin(pi * s) / (pi * w)) ^ 2) end
    local model = bm.system { variables = { "x" }, period = { x = 1 }, equations = { x = "0" }, interpretation = "ito",
                              noise = { x = bm.noise.gaussian {
                                D = D, amplitude = bm.formula { "1 - 0.9*exp(-(sin(pi*(x - x0))/(pi*w))^2)", w = w,
                                                                x0 = place } } } }
    local _, D_eff = bm.theory.stratonovich { model = model }
    check(("amplitude, w = %g"):format(w), D_eff, D / integral(w, function(s, ds) return ds / b(s) ^ 2 end))
  end

  -- Escape: a narrow barrier between the minimum at 1/2 and its neighbour ends the way to the left.
  local function escape(w)
    return bm.theory.kramers { D = 0.2, potential = bm.potential.formula {
      "2*cos(2*pi*x/L) + A*exp(-(sin(pi*(x - 0.1137)/L)/(pi*w))^2)", A = 4, w = w, L = 1 } }
  end
  local wide, wide_left, wide_right = escape(0.01)
  local narrow, narrow_left, narrow_right = escape(1e-5)
  check("kramers", narrow_right, wide_right)
  assert(wide_left < 1e-4 * wide and narrow_left < 1e-4 * narrow, ("kramers: %g to the left"):format(narrow_left))
end

-- Formulas that are flat where paths begin, and not elsewhere: no period is read from that. Positions of free paths are
-- those of the line, in averages, forces, amplitudes, rates of events and mean fields.
do
  local gaussian = bm.noise.gaussian
  local function check(what, value, err, exact, part)
    assert(math.abs(value - exact) < part * math.abs(exact) + 4 * err and err < 0.1 * math.abs(exact) + part,
           ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
  end
  local function column(what, r, name, exact, part)
    check(what, r:column(name)[1], r:column(name .. "_err")[1], exact, part)
  end

  -- The mean time that a free path spends at x, the integral of exp(-x^2/2t)/sqrt(2 pi t) over the run.
  local function density(x, time)
    local n, sum = 2000, 0
    for i = 1, n do  -- t = s^2
      local s = (i - 0.5) / n * math.sqrt(time)
      sum = sum + 2 * math.exp(-x * x / (2 * s * s)) / math.sqrt(2 * math.pi) * math.sqrt(time) / n
    end
    return sum
  end
  local free = { bm.overdamped { noise = gaussian { D = 0.5 } },
                 bm.system { variables = { "x" }, noise = { x = gaussian { D = 0.5 } } } }
  for _, model in ipairs(free) do
    local r = bm.run { model = model, time = 4, dt = 0.004, transient = 0, paths = 4096, initial = { x = 0 },
                       check_transient = false, check_step = false,
                       observe = bm.observe.average { far = "if(abs(x - 3) < 0.2, 1, 0)",
                                                      narrow = "abs(x - 0.1) < 0.02" } }
    column("far", r, "far", 0.4 * density(3, 4) / 4, 0.01)
    column("narrow", r, "narrow", 0.04 * density(0.1, 4) / 4, 0.01)
  end

  -- A force that begins at 5 holds what drifts there: <x> - 5, from Boltzmann's law of x/2 - x + (x - 5)^2.
  local held = bm.system { variables = { "x" }, equations = { x = "1 - 2*max(x - 5, 0)" },
                           noise = { x = gaussian { D = 0.5 } } }
  local r = bm.run { model = held, time = 30, transient = 0.7, paths = 1024, initial = { x = 0 },
                     observe = { "velocity", bm.observe.average { x = "x" } } }
  local weight, mean = 0, 0
  for i = 1, 20000 do
    local x = -10 + i * 1e-3
    local w = math.exp((x - math.max(x - 5, 0) ^ 2) / 0.5)
    weight, mean = weight + w, mean + w * x
  end
  column("held", r, "x", mean / weight, 0.01)
  assert(math.abs(r:column "velocity_x"[1]) < 0.02, "held: it moves")

  -- Resetting from beyond 3, in a flow of velocity 1: once in 3 + 1/rate.
  for _, sine in ipairs { false, true } do
    local model = bm.overdamped { force = 1, noise = gaussian { D = 0.01 },
                                  potential = sine and bm.potential.sine { V0 = 1e-3 } or nil,
                                  events = { back = { rate = "10*(x > 3)", set = { x = "0" } } } }
    r = bm.run { model = model, time = 62, transient = 0.5, paths = 256, dt = 0.01, initial = { x = 0 },
                 check_step = false, observe = "events" }
    column("resetting", r, "back_rate", 1 / 3.1, 0.02)
  end

  -- Paths that stop when all have come to 2.
  local crowd = bm.system { variables = { "x" }, fields = { c = "x > 2" }, equations = { x = "1 - c" } }
  r = bm.run { model = crowd, time = 10, dt = 0.01, transient = 0, paths = 64, replicas = 12, initial = { x = 0 },
               check_step = false, observe = "velocity" }
  assert(math.abs(r:column "velocity_x"[1] * 10 - 2) < 0.05, "crowd: " .. r:column "velocity_x"[1])
end
