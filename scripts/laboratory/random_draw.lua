-- Models drawn at random for random_models.lua, each with its reference: the Fokker-Planck equation on a grid, or paths
-- of this file's own with steps of a tenth.
local bm = require "bmsim"
local fokker_planck = require "fokker_planck"

local most_steps = 2e5  -- of a run, about
local cells, refinements = tonumber(bm.args.cells) or 200, tonumber(bm.args.refinements) or 3  -- of the coarsest grid
local pi, abs, exp, sin, cos, sqrt, log, floor, max, min = math.pi, math.abs, math.exp, math.sin, math.cos, math.sqrt,
                                                          math.log, math.floor, math.max, math.min

-- Random numbers that depend on the number of the model alone: Park and Miller, Commun. ACM 31, 1192 (1988).
local state = 1
local function uniform(a, b)
  state = state * 48271 % 2147483647
  return (a or 0) + ((b or 1) - (a or 0)) * state / 2147483647
end
local function seed_of(number)
  state = (number * 7919 + 12345) % 2147483646 + 1
  for _ = 1, 20 do uniform() end
end
local function brief(x) return tonumber(("%.3g"):format(x)) end
local function between(a, b) return brief(a * (b / a) ^ uniform()) end  -- evenly in the logarithm
local function chance(p) return uniform() < p end
local function pick(list) return list[floor(uniform() * #list) + 1] end
local function fill(text, values)
  return (text:gsub("%$(%w+)", function(name) return ("(%.10g)"):format(values[name]) end))
end

-- A term of a potential: its text, V and V', features. place: where the structure of the potential lies.
local function term(text, values, V, slope, features)
  return { text = fill(text, values), V = V, slope = slope, features = features or {} }
end
local function narrow(periodic, height, range)
  local c, w = brief(uniform(-0.4, 0.4) * (periodic and 1 or range)), between(4e-3, 0.1) * (periodic and 1 or range / 2)
  local A = brief(height * uniform(0.5, 1.5) * (chance(0.7) and -1 or 1))
  w = brief(w)
  if periodic then
    local s = w * pi
    return term("$A*exp(-(sin(pi*(x - $c))/$s)^2)", { A = A, c = c, s = brief(s) },
      function(x) return A * exp(-(sin(pi * (x - c)) / brief(s)) ^ 2) end,
      function(x)
        local u = sin(pi * (x - c)) / brief(s)
        return -2 * u * pi * cos(pi * (x - c)) / brief(s) * A * exp(-u * u)
      end, { { x = c, width = w } })
  end
  return term("$A*exp(-((x - $c)/$w)^2)", { A = A, c = c, w = w },
    function(x) return A * exp(-((x - c) / w) ^ 2) end,
    function(x) return -2 * (x - c) / w ^ 2 * A * exp(-((x - c) / w) ^ 2) end, { { x = c, width = w } })
end
local function sign(x) return x > 0 and 1 or x < 0 and -1 or 0 end

local periodic_terms = {
  function(V0) return term("$V*sin(2*pi*x)", { V = V0 }, function(x) return V0 * sin(2 * pi * x) end,
    function(x) return 2 * pi * V0 * cos(2 * pi * x) end) end,
  function(V0)
    local phi = brief(uniform(0, 6))
    return term("$V*(sin(2*pi*x) + 0.25*sin(4*pi*x + $phi))", { V = V0, phi = phi },
      function(x) return V0 * (sin(2 * pi * x) + 0.25 * sin(4 * pi * x + phi)) end,
      function(x) return V0 * (2 * pi * cos(2 * pi * x) + pi * cos(4 * pi * x + phi)) end)
  end,
  function(V0)
    return term("$V*abs(sin(pi*x))", { V = V0 }, function(x) return V0 * abs(sin(pi * x)) end,
      function(x) return V0 * pi * cos(pi * x) * sign(sin(pi * x)) end, { { x = 0, width = 0.05 } })
  end,
  function(V0)
    local k = brief(uniform(0.1, 0.9))
    local function part(x) return x - floor(x) end
    return term("$V*min(mod(x, 1)/$k, (1 - mod(x, 1))/(1 - $k))", { V = V0, k = k },
      function(x) return V0 * min(part(x) / k, (1 - part(x)) / (1 - k)) end,
      function(x) return part(x) < k and V0 / k or -V0 / (1 - k) end,
      { { x = 0, width = 0.05 }, { x = k < 0.5 and k or k - 1, width = 0.05 } })
  end,
}
local confined_terms = {
  function(V0) return term("$V*x^2", { V = V0 }, function(x) return V0 * x ^ 2 end,
    function(x) return 2 * V0 * x end) end,
  function(V0)
    return term("$V*(x^2 - 1)^2", { V = V0 }, function(x) return V0 * (x ^ 2 - 1) ^ 2 end,
      function(x) return 4 * V0 * x * (x ^ 2 - 1) end)
  end,
  function(V0)
    return term("$V*abs(x)", { V = V0 }, function(x) return V0 * abs(x) end, function(x) return V0 * sign(x) end,
      { { x = 0, width = 0.05 } })
  end,
  function(V0)
    local a = brief(uniform(0.3, 1))
    local k = brief(V0 * uniform(2, 20))
    return term("$k/2*max(abs(x) - $a, 0)^2", { k = k, a = a },
      function(x) return k / 2 * max(abs(x) - a, 0) ^ 2 end,
      function(x) return k * max(abs(x) - a, 0) * sign(x) end)
  end,
}

local function join(terms)
  local texts, features = {}, {}
  for i, one in ipairs(terms) do
    texts[i] = one.text
    for _, feature in ipairs(one.features) do features[#features + 1] = feature end
  end
  return {
    text = table.concat(texts, " + "), features = features,
    V = function(x)
      local sum = 0
      for _, one in ipairs(terms) do sum = sum + one.V(x) end
      return sum
    end,
    slope = function(x)
      local sum = 0
      for _, one in ipairs(terms) do sum = sum + one.slope(x) end
      return sum
    end,
  }
end

local function potential_of(text, periodic)
  if not periodic then return bm.potential.formula { text } end
  return bm.potential.formula { (text:gsub("%f[%w]x%f[%W]", "(x/L)")), L = 1 }
end

-- A force of t: the component or text, f(t), times of edges, the longest step of a reference.
local function draw_drive(size, duration)
  local period = between(duration / 30, duration / 3)
  local omega, A = 2 * pi / period, brief(size * uniform(0.3, 1.5))
  local function repeated(offsets)
    local all = {}
    for i = 0, floor(duration / period) + 1 do
      for _, offset in ipairs(offsets) do all[#all + 1] = (i + offset) * period end
    end
    return all
  end
  local function turn(t) return t / period - floor(t / period) end
  local kind = pick { "cosine", "square", "pulse", "gaussian pulse", "mod", "mod pulse" }
  if kind == "cosine" then
    return { name = kind, part = bm.drive.cosine { amplitude = A, omega = omega },
             f = function(t) return A * cos(omega * t) end, longest = period / 40, period = period, most = abs(A) }
  elseif kind == "square" then
    local duty = brief(uniform(0.05, 0.95))
    return { name = kind, part = bm.drive.square { amplitude = A, omega = omega, duty = duty },
             f = function(t) return turn(t) < duty and A or -A end, edges = repeated { 0, duty }, period = period,
             longest = period / 20, most = abs(A) }
  elseif kind == "pulse" then
    local part = between(0.003, 0.5)
    local height = brief(A * min(20, 0.5 / part))
    return { name = kind, part = bm.drive.pulse { amplitude = height, width = part * period, period = period },
             f = function(t)
               local off = turn(t)
               return min(off, 1 - off) < part / 2 and height or 0
             end, edges = repeated { part / 2, 1 - part / 2 }, period = period, longest = period / 20,
             most = abs(height), push = abs(height) * part * period }
  end
  local part = between(0.002, 0.1)
  local height = brief(A * min(20, 0.3 / part))
  local fine = {}
  for i = -16, 16 do fine[#fine + 1] = 0.5 + part * i / 4 end
  if kind == "gaussian pulse" then
    for i, offset in ipairs(fine) do fine[i] = offset - 0.5 end
    return { name = kind, part = bm.drive.pulse { amplitude = height, width = part * period, period = period,
                                                  shape = "gaussian" },
             f = function(t)
               local off = turn(t)
               return height * exp(-(min(off, 1 - off) / part) ^ 2 / 2)
             end, edges = repeated(fine), period = period, longest = period / 20, most = abs(height) }
  elseif kind == "mod" then
    return { name = kind,
             part = bm.drive.formula { name = "of_time", "A*(mod(t, P) < d*P)", A = A, P = period, d = part * 5 },
             f = function(t) return turn(t) < part * 5 and A or 0 end, edges = repeated { 0, part * 5 },
             period = period, longest = period / 20, most = abs(A) }
  end
  return { name = kind,
           part = bm.drive.formula { name = "of_time", "A*exp(-((mod(t, P)/P - 0.5)/w)^2)", A = height, P = period,
                                     w = part },
           f = function(t) return height * exp(-((turn(t) - 0.5) / part) ^ 2) end, edges = repeated(fine),
           period = period, longest = period / 20, most = abs(height), push = 1.8 * abs(height) * part * period }
end

-- A model of one variable without inertia, and its reference on a grid.
local function draw_overdamped()
  local what, V0 = {}, between(0.2, 5)
  local function say(text) what[#what + 1] = text end
  local place = pick { "periodic", "periodic", "confined", "confined", "box", "exit" }
  local D = brief(V0 * between(0.08, 2))
  local periodic = place == "periodic"
  local terms = { pick(periodic and periodic_terms or confined_terms)(V0) }
  if chance(0.35) then terms[2] = narrow(periodic, 3 * D, 2) end
  if place == "box" or place == "exit" then
    if chance(0.3) then terms = { term("0*x", {}, function() return 0 end, function() return 0 end) } end
  end
  local V = join(terms)
  say(place)
  say("V " .. V.text)
  local duration = brief(min(40, max(3, 5 / D)) * uniform(0.7, 1.3))
  local start = brief(uniform(-0.5, 0.5))
  -- About 10^6 steps at most: where the structure is narrow the run is short, and begins beside it.
  local function shorten(time, feature)
    if most_steps * time >= duration then return end
    duration = brief(most_steps * time)
    start = brief(feature.x + uniform(-4, 4) * feature.width)
  end
  if terms[2] then shorten(0.05 * terms[2].features[1].width ^ 2 / (3 * D), terms[2].features[1]) end
  local fields = {}
  if V.text ~= "0*x" then fields.potential = potential_of(V.text, periodic) end
  local reference = { V = V.V, D = D, features = V.features }
  local noises = {}
  -- white noise, perhaps with an amplitude
  local gaussian = { D = D }
  if chance(0.3) then
    local c, d, w = brief(uniform(0.2, 0.8)), brief(uniform(-0.4, 0.4)), between(0.003, 0.2)
    local amplitudes = {
      { "1 + $c*cos(2*pi*x)", function(x) return 1 + c * cos(2 * pi * x) end },
      { "1 + $c*abs(sin(pi*x))", function(x) return 1 + c * abs(sin(pi * x)) end },
      { "1 - $c*exp(-(sin(pi*(x - $d))/(pi*$w))^2)",
        function(x) return 1 - c * exp(-(sin(pi * (x - d)) / (pi * w)) ^ 2) end, { x = d, width = w } },
    }
    if not periodic then
      amplitudes[4] = { "sqrt(1 + $c*x^2)", function(x) return sqrt(1 + c * x ^ 2) end }
    end
    local chosen = pick(amplitudes)
    if chosen[3] then shorten(0.02 * w ^ 2 / (2 * D * c ^ 2), chosen[3]) end
    local interpretation = pick { "ito", "stratonovich", "anti_ito" }
    gaussian.amplitude = bm.formula { fill(chosen[1], { c = c, d = d, w = w }) }
    reference.amplitude, reference.interpretation = chosen[2], interpretation
    fields.interpretation = interpretation
    reference.features = { unpack(V.features) }
    reference.features[#reference.features + 1] = chosen[3]
    say("b " .. fill(chosen[1], { c = c, d = d, w = w }) .. " " .. interpretation)
  end
  noises[1] = bm.noise.gaussian(gaussian)
  local most_force, most_push, kicks_sum, force = 0, 0, 0, 0
  local size = V0 * 3
  local second = pick { "none", "none", "none", "dichotomous", "three_state", "flashing", "kicks" }
  if second == "dichotomous" then
    local Fa, Fb, mu_a, mu_b = brief(size * uniform(0.2, 1)), brief(size * uniform(0.2, 1)), between(0.3, 20),
                               between(0.3, 20)
    noises[2] = bm.noise.dichotomous { Fa = Fa, Fb = Fb, mu_a = mu_a, mu_b = mu_b }
    reference.states = { { force = -Fa, factor = 1, share = mu_b / (mu_a + mu_b) },
                         { force = Fb, factor = 1, share = mu_a / (mu_a + mu_b) } }
    reference.switching = mu_a + mu_b
    most_force = max(Fa, Fb)
    say(("dichotomous %g %g %g %g"):format(Fa, Fb, mu_a, mu_b))
  elseif second == "three_state" then
    local F, q, nu = brief(size * uniform(0.2, 1)), brief(uniform(0.1, 0.45)), between(0.3, 20)
    noises[2] = bm.noise.three_state { F = F, q = q, nu = nu }
    reference.states = { { force = -F, factor = 1, share = q }, { force = 0, factor = 1, share = 1 - 2 * q },
                         { force = F, factor = 1, share = q } }
    reference.switching = nu
    most_force = F
    say(("three_state %g %g %g"):format(F, q, nu))
  elseif second == "flashing" and place ~= "confined" and fields.potential then
    local mu_a, mu_b = between(0.5, 20), between(0.5, 20)
    noises[2] = bm.noise.dichotomous { Fa = 1, Fb = 0, mu_a = mu_a, mu_b = mu_b, modulate = "potential" }
    reference.states = { { force = 0, factor = 0, share = mu_b / (mu_a + mu_b) },
                         { force = 0, factor = 1, share = mu_a / (mu_a + mu_b) } }
    reference.switching = mu_a + mu_b
    say(("flashing %g %g"):format(mu_a, mu_b))
  elseif second == "kicks" and (periodic or place == "confined") then
    local lambda, zeta = between(0.3, 10), between(0.05, 0.5)
    noises[2] = bm.noise.poisson { lambda = lambda, zeta = zeta }
    reference.kicks = { rate = lambda, zeta = zeta }
    kicks_sum = lambda * zeta
    say(("kicks %g %g"):format(lambda, zeta))
  end
  fields.noise = noises
  if periodic and chance(0.6) then
    force = brief(size * uniform(-1.5, 1.5))
    fields.force = force
    say(("force %g"):format(force))
  end
  if kicks_sum ~= 0 or force ~= 0 then
    reference.force = force - kicks_sum
  end
  local drive
  if chance(0.35) then
    drive = draw_drive(size, duration)
    fields.drive = drive.part
    reference.drive, reference.edges, reference.longest = drive.f, drive.edges, drive.longest
    most_force = most_force + min(drive.most, size * 1.5)
    most_push = drive.push or 0
    say("drive " .. drive.name)
  end
  local event = place ~= "exit" and pick { "none", "none", "none", "none", "reset", "reset at a rate", "every" }
                or "none"
  if event == "reset" then
    local rate = between(0.2, 5)
    fields.events = { reset = { rate = "r", set = { x = "to" }, r = rate, to = start } }
    reference.reset = { rate = function() return rate end, to = start }
    say(("reset %g"):format(rate))
  elseif event == "reset at a rate" and not periodic then
    local rate, c, w = between(0.5, 10), brief(uniform(-0.6, 0.6)), between(0.02, 0.5)
    fields.events = { reset = { rate = "r*exp(-((x - c)/w)^2)", set = { x = "to" }, r = rate, to = start, c = c,
                                w = w } }
    reference.reset = { rate = function(x) return rate * exp(-((x - c) / w) ^ 2) end, to = start }
    reference.features = { unpack(reference.features) }
    reference.features[#reference.features + 1] = { x = c, width = w }
    say(("reset at %g exp(-((x - %g)/%g)^2)"):format(rate, c, w))
  elseif event == "every" and not periodic then
    local tau = between(duration / 30, duration / 4)
    fields.events = { reset = { every = "tau", set = { x = "to" }, tau = tau, to = start } }
    reference.every, reference.reset_to = tau, start
    say(("every %g"):format(tau))
  end
  -- the grid
  if periodic then
    reference.from, reference.to, reference.period = -0.5, 0.5, 1
  elseif place == "confined" then
    local top, heat = max(V.V(start), V.V(0)), D * (reference.amplitude and 3 or 1)
    local function reach(direction)
      local x = 1
      local extra = kicks_sum > 0 and direction > 0 and 12 * reference.kicks.zeta or 0
      while V.V(direction * x) - most_force * x - kicks_sum * x < top + 35 * heat and x < 60 do x = x * 1.05 end
      return direction * (x + extra + most_push)
    end
    reference.from, reference.to = reach(-1), reach(1)
  else
    reference.from, reference.to = -1, 1
    fields.walls = place == "box" and { x = { "reflect", from = -1, to = 1 } }
                   or { x = { { "reflect", from = -1 }, { "absorb", to = 1 } } }
    if place == "exit" then reference.absorbing = { above = true } end
  end
  reference.start = start
  reference.features = { { x = start, width = 0.1 }, unpack(reference.features) }
  -- what is observed
  local observe, compared, formulas = {}, {}, {}
  local function compare(name, value, scale) compared[#compared + 1] = { name = name, is = value, scale = scale } end
  reference.time, reference.window = duration, 0.3 * duration
  local transient = reference.window / duration
  reference.times = { reference.window, duration }
  if place == "exit" then
    compare("survival", function(values) return values.mass_2 end, 0.3)
  else
    if periodic then
      reference.averages = { function(x) return cos(2 * pi * x) end, function(x) return sin(2 * pi * x) end }
      formulas.g1, formulas.g2 = "cos(2*pi*x)", "sin(2*pi*x)"
      compare("g1", function(values) return values.average_1 end, 0.5)
      compare("g2", function(values) return values.average_2 end, 0.5)
      if not reference.kicks and event == "none" then
        reference.displacement = true
        observe[1], observe[2] = "velocity", "diffusion"
        local long = duration - reference.window
        compare("velocity", function(values) return (values.y_2.value - values.y_1.value) / long,
                 (values.y_2.err + values.y_1.err) / long end, 0.2 * D)
        compare("diffusion", function(values) return (values.var_2.value - values.var_1.value) / 2 / long,
                 (values.var_2.err + values.var_1.err) / 2 / long end, 0.2 * D)
      end
    else
      reference.averages = { function(x) return x end, function(x) return x * x end }
      formulas.g1, formulas.g2 = "x", "x^2"
      compare("g1", function(values) return values.average_1 end, 0.3)
      compare("g2", function(values) return values.average_2 end)
      observe[1] = bm.observe.moments { times = { duration } }
      compare("x_cumulant_1", function(values) return values.x_2 end, 0.3)
      compare("x_cumulant_2", function(values) return values.x2_2.value - values.x_2.value ^ 2,
              values.x2_2.err + 2 * abs(values.x_2.value) * values.x_2.err end)
    end
    -- the probability of a feature
    local feature = V.features[#V.features]
    if feature and feature.width < 0.2 then
      local c, w = feature.x, 3 * feature.width
      if periodic then
        reference.averages[3] = function(x) return abs(x - c - floor(x - c + 0.5)) < w and 1 or 0 end
        local least = cos(2 * pi * min(w, 0.5))
        formulas.near = ("if(cos(2*pi*(x - (%g))) > %.17g, 1, 0)"):format(c, least)
      else
        reference.averages[3] = function(x) return abs(x - c) < w and 1 or 0 end
        formulas.near = ("if(abs(x - (%g)) < %.17g, 1, 0)"):format(c, w)
      end
      compare("near", function(values) return values.average_3 end, 0.02)
      reference.features[#reference.features + 1] = { x = c - w, width = w / 10 }
      reference.features[#reference.features + 1] = { x = c + w, width = w / 10 }
    end
  end
  if next(formulas) then observe[#observe + 1] = bm.observe.average(formulas) end
  return {
    what = table.concat(what, ", "), kind = "grid",
    run = { model = bm.overdamped(fields), time = duration, transient = transient, initial = { x = start },
            observe = #observe > 0 and observe or nil },
    compared = compared,
    reference = function() return fokker_planck.solve(reference, cells, 2 * cells, refinements) end,
  }
end

-- Normal numbers: G. Marsaglia, T. A. Bray, SIAM Rev. 6, 260 (1964).
local spare
local function normal()
  if spare then
    local kept = spare
    spare = nil
    return kept
  end
  local u, v, s
  repeat
    u, v = 2 * math.random() - 1, 2 * math.random() - 1
    s = u * u + v * v
  until s > 0 and s < 1
  local factor = sqrt(-2 * log(s) / s)
  spare = v * factor
  return u * factor
end

-- A particle with inertia, its reference by steps of a tenth.
local function draw_inertial()
  local V0 = between(0.2, 3)
  local T, m, gamma = brief(V0 * between(0.1, 2)), between(0.2, 5), between(0.1, 5)
  local periodic = chance(0.4)
  local terms, duration = { pick(periodic and periodic_terms or confined_terms)(V0) }, brief(uniform(8, 20))
  local start, window = brief(uniform(-0.5, 0.5)), 0.4
  if chance(0.3) then
    terms[2] = narrow(periodic, 2 * T, 2)
    local feature = terms[2].features[1]
    local longest = 1e4 * 0.3 * feature.width * sqrt(m / 4 / T)
    if longest < duration then duration, start = brief(longest), brief(feature.x + uniform(-4, 4) * feature.width) end
  end
  local V = join(terms)
  local what = { ("inertia %g %g, T %g, V %s"):format(m, gamma, T, V.text) }
  local fields = { mass = m, gamma = gamma, noise = bm.noise.gaussian { T = T },
                   potential = potential_of(V.text, periodic) }
  local force, drive = 0, nil
  if periodic then
    force = brief(V0 * uniform(-4, 4))
    fields.force = force
    what[#what + 1] = ("force %g"):format(force)
  end
  if chance(0.3) then
    drive = draw_drive(V0 * 2, duration)
    fields.drive = drive.part
    what[#what + 1] = "drive " .. drive.name
  end
  local formulas = periodic and { g1 = "cos(2*pi*x)", g2 = "v" } or { g1 = "x", g2 = "x^2" }
  local function reference(dt)
    local h = dt / 10  -- the scheme is of second order
    local steps, N = math.ceil(duration / h), 1000
    h = duration / steps
    local from = floor(window * steps)
    local sums = { {}, {}, {} }
    local decay = exp(-gamma * h / m)
    local spread = sqrt(T / m * (1 - decay * decay))
    local slope, f = V.slope, drive and drive.f
    for j = 1, N do
      local x, v = start, sqrt(T / m) * normal()
      local a, b, c = 0, 0, 0
      for i = 1, steps do  -- B. Leimkuhler, C. Matthews, Appl. Math. Res. Express 2013, 34: BAOAB
        local pull = force
        if f then pull = pull + f((i - 0.5) * h) end
        v = v + h / 2 / m * (pull - slope(x))
        x = x + h / 2 * v
        v = v * decay + spread * normal()
        x = x + h / 2 * v
        v = v + h / 2 / m * (pull - slope(x))
        if i > from then
          if periodic then a, b = a + cos(2 * pi * x), b + v else a, b = a + x, b + x * x end
          c = c + v * v
        end
      end
      local n = steps - from
      sums[1][j], sums[2][j], sums[3][j] = a / n, b / n, c / n
    end
    local values = {}
    for g = 1, 3 do
      local mean, square = 0, 0
      for _, value in ipairs(sums[g]) do mean = mean + value / N end
      for _, value in ipairs(sums[g]) do square = square + (value - mean) ^ 2 end
      values[g] = { value = mean, err = sqrt(square / N / (N - 1)) }
    end
    return values
  end
  return {
    what = table.concat(what, ", "), kind = "paths",
    run = { model = bm.underdamped(fields), time = duration, transient = window, initial = { x = start },
            observe = { bm.observe.average(formulas), "velocity_squared" } },
    compared = { { name = "g1", is = function(values) return values[1] end, scale = 0.3 },
                 { name = "g2", is = function(values) return values[2] end,
                   scale = 0.3 * (periodic and sqrt(T / m) or 1) },
                 { name = "velocity_squared", is = function(values) return values[3] end } },
    reference = reference,
  }
end

-- The model of a number: what it is, in words; the fields of its run; the values to compare; reference(dt), its values;
-- longer, a factor of the step for a second run, or nil.
return function(number)
  seed_of(number)
  local model = chance(0.8) and draw_overdamped() or draw_inertial()
  model.longer = chance(0.3) and 2 ^ uniform(1, 6) or nil
  return model
end
