-- Linear systems drawn at random, with white, coloured and multiplicative noise, kicks, flips, drives, inertia and
-- events, and their reference: the exact moments (linear_moments.lua).
local bm = require "bmsim"
local linear_moments = require "linear_moments"
local draw = require "random_terms"

local sqrt, max, min = math.sqrt, math.max, math.min
local uniform, brief, between, chance, pick = draw.uniform, draw.brief, draw.between, draw.chance, draw.pick

local function text_of(polynomial, names)
  local parts = {}
  for j = 0, #names do
    local value = polynomial[j]
    if value and value ~= 0 then
      parts[#parts + 1] = j == 0 and ("(%.10g)"):format(value) or ("(%.10g)*%s"):format(value, names[j])
    end
  end
  return #parts > 0 and table.concat(parts, " + ") or "0"
end

return function()
  local n = pick { 1, 2, 2, 2, 3, 3 }
  local names = { "x", "y", "z" }
  for i = n + 1, 3 do names[i] = nil end
  local what = { "linear" }
  local function say(...) what[#what + 1] = (...):format(select(2, ...)) end
  -- Rates k_i, and couplings that are small beside their geometric means: so the system is stable.
  local k, fastest, slowest = {}, 0, 1e9
  k[1] = between(0.3, 3)
  for i = 2, n do k[i] = brief(k[1] * (chance(0.4) and between(3, 100) or between(0.5, 2))) end
  for i = 1, n do fastest, slowest = max(fastest, k[i]), min(slowest, k[i]) end
  local inertial = chance(0.25) and pick { 1, n }  -- acts on no other variable, which could make oscillations grow
  local equations, drift = {}, {}
  for i = 1, n do
    drift[i] = { [i] = -k[i] }
    if chance(0.4) then drift[i][0] = brief(uniform(-2, 2)) end
    for j = 1, n do
      if j ~= i and j ~= inertial and chance(0.75) then
        drift[i][j] = brief(uniform(-0.8, 0.8) / (n - 1) * sqrt(k[i] * k[j]))
      end
    end
    equations[names[i]] = text_of(drift[i], names)
    say("%s: %s", names[i], equations[names[i]])
  end
  local fields = { variables = names, equations = equations, noise = {}, events = {} }
  local model = { n = n, drift = drift, noises = {}, interpretation = 0, start = {}, second = {} }
  local function more_variables(count)
    model.n = model.n + count
    return model.n - count + 1
  end
  -- inertia of one variable: m v' = -gamma v + the equation
  local moved = {}  -- moved[i]: the variable on which forces on x_i act, and by which factor
  for i = 1, n do moved[i] = { i, 1 } end
  if inertial then
    local mass, gamma = between(0.1, 3), between(0.5, 3)
    local v = more_variables(1)
    drift[v], drift[inertial] = drift[inertial], { [v] = 1 }
    for j, value in pairs(drift[v]) do drift[v][j] = value / mass end
    drift[v][v] = -gamma / mass
    moved[inertial] = { v, 1 / mass }
    fields.inertia = { [names[inertial]] = { mass = mass, gamma = gamma } }
    fastest = max(fastest, gamma / mass, sqrt(k[inertial] / mass))
    slowest = min(slowest, gamma / mass, k[inertial] / gamma)
    say("inertia of %s %g %g", names[inertial], mass, gamma)
  end
  local function act(polynomial, i)  -- a force on x_i
    local scaled = {}
    for j, value in pairs(polynomial) do scaled[j] = value * moved[i][2] end
    return scaled
  end
  -- white noise
  local interpretation = pick { "ito", "stratonovich", "anti_ito" }
  fields.interpretation = interpretation
  model.interpretation = ({ ito = 0, stratonovich = 1, anti_ito = 2 })[interpretation]
  local shared = n > 1 and chance(0.25)
  local multiplicative
  for i = 1, n do
    if chance(0.8) or i == 1 then
      local D = brief(k[i] * between(0.02, 1))
      local gaussian = { D = D, name = "white_" .. names[i] }
      local b = { [0] = 1 }
      if not multiplicative and not shared and chance(0.25) then
        local j = chance(0.7) and i or pick { 1, n }
        multiplicative = true
        b = { [0] = chance(0.7) and brief(uniform(0.5, 1)) or nil, [j] = brief(uniform(0.1, 0.35) * sqrt(k[i] / D)) }
        gaussian.amplitude = text_of(b, names)
        say("amplitude of %s %s, %s", names[i], gaussian.amplitude, interpretation)
      end
      fields.noise[names[i]] = { bm.noise.gaussian(gaussian) }
      model.noises[#model.noises + 1] = { D = D, on = { [moved[i][1]] = act(b, i) } }
      say("D_%s %g", names[i], D)
    end
  end
  if shared then
    local D, b, c = between(0.05, 0.5), brief(uniform(0.3, 1)), brief(uniform(-0.3, 0.3) * sqrt(k[2]))
    local second = chance(0.5) and { [1] = c } or { [0] = c }
    fields.noise[#fields.noise + 1] = bm.noise.gaussian {
      D = D, name = "shared", amplitude = { x = ("%.10g"):format(b), y = text_of(second, names) },
    }
    model.noises[#model.noises + 1] = { D = D, on = { [moved[1][1]] = act({ [0] = b }, 1),
                                                      [moved[2][1]] = act(second, 2) } }
    say("shared D %g on x %g, y %s, %s", D, b, text_of(second, names), interpretation)
  end
  local function add_noise(i, noise)
    fields.noise[names[i]] = fields.noise[names[i]] or {}
    table.insert(fields.noise[names[i]], noise)
  end
  -- one more noise, or a drive
  local i = pick { 1, n }
  local more = pick { "none", "coloured", "kicks", "flips", "three states", "cosine" }
  if more == "coloured" then
    local tau, sigma = between(0.02, 2), between(0.3, 2)
    add_noise(i, bm.noise.ornstein_uhlenbeck { tau = tau, sigma = sigma })
    local y = more_variables(1)
    drift[y] = { [y] = -1 / tau }
    drift[moved[i][1]][y] = moved[i][2]
    model.noises[#model.noises + 1] = { D = sigma ^ 2 / tau, on = { [y] = { [0] = 1 } } }
    model.start[y], model.second[y] = 0, sigma ^ 2
    say("coloured on %s: tau %g, sigma %g", names[i], tau, sigma)
  elseif more == "kicks" then
    local lambda, zeta, law = between(0.3, 10), between(0.05, 0.5), pick { "exponential", "constant", "two_sided",
                                                                           "uniform" }
    add_noise(i, bm.noise.poisson { lambda = lambda, zeta = zeta, law = law })
    local square = ({ exponential = 2, constant = 1, two_sided = 2, uniform = 4 / 3 })[law] * zeta ^ 2
    model.kicks = { { rate = lambda, square = square, on = { [moved[i][1]] = moved[i][2] } } }
    say("kicks on %s: %s %g %g", names[i], law, lambda, zeta)
  elseif more == "flips" then
    local Fa, Fb, mu_a, mu_b = between(0.3, 2), between(0.3, 2), between(0.3, 20), between(0.3, 20)
    add_noise(i, bm.noise.dichotomous { Fa = Fa, Fb = Fb, mu_a = mu_a, mu_b = mu_b })
    model.states = { { share = mu_b / (mu_a + mu_b), force = { [moved[i][1]] = -Fa * moved[i][2] } },
                     { share = mu_a / (mu_a + mu_b), force = { [moved[i][1]] = Fb * moved[i][2] } } }
    model.leave = { { [2] = mu_a }, { [1] = mu_b } }
    say("flips on %s: %g %g %g %g", names[i], Fa, Fb, mu_a, mu_b)
  elseif more == "three states" then
    local F, q, nu = between(0.3, 2), brief(uniform(0.1, 0.45)), between(0.3, 20)
    add_noise(i, bm.noise.three_state { F = F, q = q, nu = nu })
    local shares = { q, 1 - 2 * q, q }
    model.states, model.leave = {}, {}
    for s = 1, 3 do
      model.states[s] = { share = shares[s], force = { [moved[i][1]] = (s - 2) * F * moved[i][2] } }
      model.leave[s] = { nu * shares[1], nu * shares[2], nu * shares[3] }
    end
    say("three states on %s: %g %g %g", names[i], F, q, nu)
  elseif more == "cosine" then
    local A, omega = between(0.3, 2), brief(between(0.3, 3) * k[i])
    fields.drive = { [names[i]] = bm.drive.cosine { amplitude = A, omega = omega } }
    local c = more_variables(2)
    drift[c], drift[c + 1] = { [c + 1] = -omega }, { [c] = omega }
    drift[moved[i][1]][c] = A * moved[i][2]
    model.start[c], model.start[c + 1] = 1, 0
    say("cosine on %s: %g %g", names[i], A, omega)
  end
  local duration = brief(min(uniform(4, 8) / slowest, 2000 / fastest))
  -- an event
  local event = pick { "none", "none", "none", "reset", "halved", "every" }
  if event ~= "none" then
    local j = pick { 1, n }
    local to = brief(uniform(-1, 1))
    local set = event == "halved" and { [j] = 0.5 } or { [0] = to }
    local jump = { set = { [j] = set } }
    local fields_of = { set = { [names[j]] = text_of(set, names) } }
    if event == "every" then
      jump.every = between(duration / 30, duration / 4)
      fields_of.every = ("%.10g"):format(jump.every)
    else
      jump.rate = brief(between(0.2, 3) * slowest)
      fields_of.rate = ("%.10g"):format(jump.rate)
    end
    fields.events.jump, model.jumps = fields_of, { jump }
    say("%s of %s to %s at %g", event, names[j], fields_of.set[names[j]], jump.every or jump.rate)
  end
  -- what is observed
  local initial, formulas, compared = {}, {}, {}
  for j = 1, n do
    model.start[j] = brief(uniform(-2, 2))
    initial[names[j]] = model.start[j]
  end
  if inertial then
    model.start[n + 1] = 0
    initial["v_" .. names[inertial]] = 0
  end
  model.time, model.window = duration, 0.3 * duration
  local function compare(name, text, a, b)
    formulas[name] = text
    compared[#compared + 1] = {
      name = name, is = function(values) return values.average(a, b), 0 end,
      scale_of = function(values) return sqrt(values.average(a, a) * (b == 0 and 1 or values.average(b, b))) end,
    }
  end
  for a = 1, n do
    compare("mean_" .. names[a], names[a], a, 0)
    for b = a, n do compare("mean_" .. names[a] .. names[b], names[a] .. "*" .. names[b], a, b) end
  end
  if inertial and chance(0.5) then compare("mean_v", "v_" .. names[inertial] .. "^2", n + 1, n + 1) end
  local last = names[n]
  local function cumulant(order, is, scale_of)
    compared[#compared + 1] = {
      name = ("%s_cumulant_%d"):format(last, order), is = function(values) return is(values), 0 end,
      scale_of = scale_of,
    }
  end
  if event ~= "every" then  -- after which the time of the last step counts
    cumulant(1, function(values) return values.last(n, 0) end, function(values) return sqrt(values.last(n, n)) end)
    cumulant(2, function(values) return values.last(n, n) - values.last(n, 0) ^ 2 end,
             function() return 1e-6 end)  -- of what nothing moves any more
  end
  return {
    what = table.concat(what, ", "), kind = "moments",
    run = { model = bm.system(fields), time = duration, transient = 0.3, initial = initial,
            observe = { bm.observe.average(formulas), bm.observe.moments { of = last, times = { duration } } } },
    compared = compared,
    reference = function()
      local average, at_last = linear_moments.solve(model)
      return { average = average, last = at_last }
    end,
  }
end
