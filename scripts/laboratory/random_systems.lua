-- Systems of two or three variables, and particles under coloured or Levy noise, drawn at random. Their reference are
-- paths of the script's own (random_paths.lua).
local bm = require "bmsim"
local random_paths = require "random_paths"
local draw = require "random_terms"

local steps_of_reference = tonumber(bm.args.reference_steps) or 4e7  -- of all paths of one, for one variable
local least_scale = 0.01  -- of values, where variables begin at places of the order of 1
local abs, max, min, huge = math.abs, math.max, math.min, math.huge
local uniform, brief, between, chance, pick = draw.uniform, draw.brief, draw.between, draw.chance, draw.pick
local fill = draw.fill

-- Collects a model for bmsim and for the reference at once.
local function begin(names)
  local model = {
    names = names, what = {}, noise = {}, drive = {}, events = {}, walls = {}, initial = {},
    target = {},     -- by variable: what a force on it changes, and the factor: { "v_x", "1/m" }
    fastest = 0, slowest = huge,
    reference = { variables = {}, start = {}, drift = {}, functions = {}, noises = {}, jumps = {}, walls = {},
                  correction = 0, averages = {}, edges = {} },
  }
  for i, name in ipairs(names) do
    model.target[name] = { name, "1" }
    model.reference.variables[i] = name
    model.initial[name] = brief(uniform(-1, 1))
    model.reference.start[name] = model.initial[name]
  end
  function model.say(...) model.what[#model.what + 1] = (...):format(select(2, ...)) end
  function model.rate(k) model.fastest, model.slowest = max(model.fastest, k), min(model.slowest, k) end
  function model.variable(name, start, drift)  -- of the reference alone
    local r = model.reference
    r.variables[#r.variables + 1] = name
    r.start[name], r.drift[name] = start, drift
  end
  function model.push(name, text)  -- a force on a variable, for the reference
    local target, drift = model.target[name], model.reference.drift
    drift[target[1]] = (drift[target[1]] and drift[target[1]] .. " + " or "") .. ("(%s)*(%s)"):format(text, target[2])
  end
  function model.add_noise(name, noise)
    model.noise[name] = model.noise[name] or {}
    table.insert(model.noise[name], noise)
  end
  function model.inertia(name, mass, gamma)
    local v = "v_" .. name
    model.variable(v, 0, ("-%.17g*%s"):format(gamma / mass, v))
    model.reference.drift[name] = v
    model.target[name] = { v, ("%.17g"):format(1 / mass) }
    model.initial[v] = 0
    model.inertia_of = model.inertia_of or {}
    model.inertia_of[name] = { mass = mass, gamma = gamma }
    model.rate(gamma / mass)
    model.say("inertia of %s %g %g", name, mass, gamma)
  end
  function model.white(name, D, amplitude)  -- amplitude: a text, or nil
    local target = model.target[name]
    model.add_noise(name, bm.noise.gaussian { D = D, name = "white_" .. name, amplitude = amplitude })
    table.insert(model.reference.noises, { D = D, multiplicative = amplitude ~= nil,
                                           on = { [target[1]] = ("(%s)*(%s)"):format(amplitude or "1", target[2]) } })
    model.say("D_%s %g%s", name, D, amplitude and " times " .. amplitude or "")
  end
  function model.interpret()
    local interpretation = pick { "ito", "stratonovich", "anti_ito" }
    model.interpretation = interpretation
    model.reference.correction = ({ ito = -1, stratonovich = 0, anti_ito = 1 })[interpretation]
    model.say(interpretation)
  end
  function model.jump(jump) table.insert(model.reference.jumps, jump) end
  function model.average(name, text) model.averages = model.averages or {}
    model.averages[#model.averages + 1] = { name = name, text = text }
    model.reference.averages[#model.reference.averages + 1] = text
  end
  return model
end

local function of(other, text) return (text:gsub("%f[%w]o%f[%W]", other)) end  -- o in a text is the other variable

-- A noise or drive with states, memory or kicks on a variable; size: of its force.
local function more_force(model, name, size, kind, duration)
  local rate = max(1 / duration, model.slowest)
  if kind == "coloured" then
    local tau, sigma = brief(between(0.05, 3) / rate), brief(size * uniform(0.3, 1.5))
    local amplitude
    if chance(0.25) then
      local text = name == "theta" and "1 + $c*cos(o)" or pick { "1 + $c*cos(o)", "sqrt(1 + $c*o^2)",
                                                                 "1 + $c*tanh(abs(o))" }
      amplitude = of(name, fill(text, { c = brief(uniform(0.2, 0.8)) }))
    end
    model.add_noise(name, bm.noise.ornstein_uhlenbeck { tau = tau, sigma = sigma, amplitude = amplitude })
    model.variable("eta", function() return sigma * random_paths.normal() end, ("-eta/%.17g"):format(tau))
    table.insert(model.reference.noises, { D = sigma ^ 2 / tau, on = { eta = "1" } })
    model.push(name, ("(%s)*eta"):format(amplitude or "1"))
    model.rate(1 / tau)
    model.say("coloured on %s: tau %g, sigma %g%s", name, tau, sigma, amplitude and ", times " .. amplitude or "")
  elseif kind == "flips" then
    local Fa, Fb = brief(size * uniform(0.2, 1.5)), brief(size * uniform(0.2, 1.5))
    local mu_a, mu_b = brief(between(0.3, 20) * rate), brief(between(0.3, 20) * rate)
    model.add_noise(name, bm.noise.dichotomous { Fa = Fa, Fb = Fb, mu_a = mu_a, mu_b = mu_b })
    model.variable("flip", function() return math.random() < mu_b / (mu_a + mu_b) and -Fa or Fb end)
    model.jump { rate = mu_a, accept = "flip < 0 and 2 or -1", set = { flip = ("%.17g"):format(Fb) } }
    model.jump { rate = mu_b, accept = "flip > 0 and 2 or -1", set = { flip = ("%.17g"):format(-Fa) } }
    model.push(name, "flip")
    model.say("flips on %s: %g %g %g %g", name, Fa, Fb, mu_a, mu_b)
  elseif kind == "three states" then
    local F, q, nu = brief(size * uniform(0.2, 1.5)), brief(uniform(0.1, 0.45)), brief(between(0.3, 20) * rate)
    local function drawn(u) return u < q and -F or u < 2 * q and F or 0 end
    model.add_noise(name, bm.noise.three_state { F = F, q = q, nu = nu })
    model.variable("flip", function() return drawn(math.random()) end)
    model.reference.functions.drawn = drawn
    model.jump { rate = nu, set = { flip = "drawn(U)" } }
    model.push(name, "flip")
    model.say("three states on %s: %g %g %g", name, F, q, nu)
  elseif kind == "kicks" then
    local lambda, law = brief(between(0.3, 10) * rate), pick { "exponential", "constant", "gaussian", "two_sided",
                                                               "uniform" }
    local zeta = brief(size * uniform(0.2, 1) / lambda)
    local sigma = law == "gaussian" and brief(zeta * uniform(0.3, 2)) or nil
    model.add_noise(name, bm.noise.poisson { lambda = lambda, zeta = zeta, law = law, sigma = sigma })
    local kick = fill(({ exponential = "$z*E", constant = "$z", gaussian = "($z + $s*N)",
                         two_sided = "$z*E*(U < 0.5 and 1 or -1)", uniform = "2*$z*U" })[law],
                      { z = zeta, s = sigma or 0 })
    local target = model.target[name]
    model.jump { rate = lambda, set = { [target[1]] = ("%s + %s*(%s)"):format(target[1], kick, target[2]) } }
    if law ~= "two_sided" then model.push(name, ("%.17g"):format(-lambda * zeta)) end
    model.say("kicks on %s: %s %g %g %g", name, law, lambda, zeta, sigma or 0)
  elseif kind == "drive" then
    local drive = draw.drive(size, duration)
    model.drive[name] = drive.part
    model.reference.functions.drive = drive.f
    for _, t in ipairs(drive.edges or {}) do table.insert(model.reference.edges, t) end
    model.reference.longest = min(model.reference.longest or huge, drive.longest / 5)
    model.push(name, "drive(t)")
    model.say("drive on %s: %s", name, drive.name)
  end
end

-- An event that sets one variable.
local function add_event(model, name, periodic, duration)
  local kind = pick { "at a rate", "every", not periodic and "at a rate of the state" or nil }
  local angle = name == "theta"
  local to = brief(uniform(-1, 1))
  local change = angle and { text = "2*pi*U" }
                 or pick { { text = ("%.10g"):format(to) }, { text = name .. "/2" }, { text = "-" .. name },
                           { text = ("%.10g*N"):format(abs(to)) }, { text = ("%s + %.10g*E"):format(name, to / 3) } }
  local event, jump = { set = { [name] = change.text } }, { set = { [name] = change.text } }
  if kind == "every" then
    jump.every = between(duration / 30, duration / 4)
    event.every = ("%.10g"):format(jump.every)
  else
    local rate = brief(between(1, 10) / duration * 3)
    jump.rate = rate
    local shape = "1"
    if kind == "at a rate of the state" then
      local other = pick(model.names)
      shape = other == "theta" and "(1 + cos(theta))/2"
              or of(other, fill(pick { "1/(1 + o^2)", "exp(-((o - $c)/$w)^2)", "(1 + tanh((o - $c)/$w))/2" },
                                { c = brief(uniform(-0.5, 0.5)), w = between(0.1, 1) }))
      jump.accept = shape
    end
    event.rate = ("%.10g*%s"):format(rate, shape)
  end
  model.events.jump = event
  model.jump(jump)
  model.say("event: %s = %s %s", name, change.text, event.rate and "at " .. event.rate or "every " .. event.every)
end

-- The tables for a run and its comparison.
local function finish(model, built, duration)
  local reference = model.reference
  reference.time, reference.window = duration, 0.3 * duration
  reference.longest = min(reference.longest or huge, 0.04 / model.fastest)
  local share = #reference.variables  -- by which a step costs more than one of one variable with white noise
  for _, noise in ipairs(reference.noises) do if noise.alpha then share = share + 3 end end
  local formulas, compared = {}, {}
  for g, average in ipairs(model.averages) do
    formulas[average.name] = average.text
    compared[g] = { name = average.name, is = function(values) return values[g] end,
                    scale_of = function(values) return max(values[g].scale, least_scale) end }
  end
  return {
    what = table.concat(model.what, ", "), kind = "paths", compared = compared,
    run = { model = built, time = duration, transient = 0.3, initial = model.initial,
            observe = { bm.observe.average(formulas) } },
    reference = function(dt)
      -- At kinks dt is far shorter than what moves: there the difference of two levels must do.
      local longest = reference.longest
      return random_paths.means(reference, min(longest, max(dt, longest / 3)), steps_of_reference / share)
    end,
  }
end

-- How a variable is kept near 0: texts of x, with k its rate there and w a width.
local confining = {
  "-$k*x", "-$k*x", "$k*(x - x^3)", "-$k*x*abs(x) - 0.3*$k*x", "-$k*tanh(x/$w) - 0.3*$k*x",
  "-$k*max(-1, min(1, x/$w)) - 0.3*$k*x", "-$k*max(abs(x) - 0.5, 0)*x/(abs(x) + 0.1)", "-$k*(x + x^3)",
}
-- What another variable o does to it.
local couplings = {
  "$c*sin(o)", "$c*tanh(o)", "$c*tanh(o/$w)", "$c*abs(o)/(1 + abs(o))", "0.3*$c*o", "-$a*x*abs(o)",
  "$c*sin(x*o)", "$c*o/(1 + x^2)", "$c*max(-1, min(1, o/$w))", "-$a*x*o^2/(1 + o^2)",
}
local of_angle = { "$c*cos(theta)", "$c*sin(theta)", "$c*abs(sin(theta))", "$c*cos(theta)*x/(1 + x^2)" }
local on_angle = { "$c*sin(theta)", "$c*o", "$c*tanh(o)*cos(theta)", "$c*sin(theta)*o" }
local amplitudes = {
  "1 + $c*sin(o)", "1 + $c*tanh(o)", "sqrt(1 + $c*o^2)", "1 + $c*abs(o)/(1 + abs(o))", "1/(1 + $c*o^2)",
}

local function system()
  local n = chance(0.6) and 2 or 3
  local names = { "x", "y", "z" }
  names[n + 1] = nil
  local angle = chance(0.25)
  if angle then names[n] = "theta" end
  local model = begin(names)
  local k, stiff = { between(0.3, 3) }, chance(0.3)
  for i = 2, n do k[i] = brief(k[1] * (stiff and between(5, 60) or between(0.5, 2))) end
  if stiff and chance(0.5) then k[1], k[2] = k[2], k[1] end
  local equations = {}
  for i, name in ipairs(names) do
    model.rate(k[i])
    local function named(text, other)
      local w, c = between(0.1, 0.5), brief(k[i] * uniform(-0.8, 0.8) / (n - 1))
      if text:find "%$w" and not text:find "%$c" then model.rate(k[i] / w) end
      text = text:gsub("%f[%w]x%f[%W]", name)
      return fill(other and of(other, text) or text, { k = k[i], w = w, c = c, a = abs(c) })
    end
    local parts = {}
    if name == "theta" then
      parts[1] = ("%.10g"):format(brief(k[i] * uniform(-1, 1)))
      parts[2] = named("$c*sin(theta)")
    else
      parts[1] = named(pick(confining))
    end
    for j, other in ipairs(names) do
      if j ~= i and chance(0.75) then
        local list = other == "theta" and of_angle or name == "theta" and on_angle or couplings
        parts[#parts + 1] = named(pick(list), other)
      end
    end
    equations[name] = table.concat(parts, " + ")
    model.say("%s: %s", name, equations[name])
  end
  local fields = { variables = names, equations = equations }
  if angle then fields.period = { theta = "2*pi" } end
  local massive = chance(0.2) and names[1]
  if massive then model.inertia(massive, between(0.1, 2) / k[1], between(0.5, 2)) end
  for _, name in ipairs(names) do model.push(name, equations[name]) end
  local walled = not massive and chance(0.2) and names[1] or nil
  local multiplicative = chance(0.3)
  local shared = not walled and not multiplicative and chance(0.2)
  local noisy = pick(names)
  for i, name in ipairs(names) do
    if name == noisy or chance(0.7) then
      local amplitude
      if multiplicative and name == noisy then
        local other = chance(0.7) and name or pick(names)
        local text = other == "theta" and "1 + $c*cos(theta)" or pick(amplitudes)
        amplitude = of(other, fill(text, { c = brief(uniform(0.2, 0.8)) }))
      end
      model.white(name, brief(k[i] * between(0.02, 0.6)), amplitude)
    end
  end
  if shared then
    local D, b = between(0.05, 0.5), brief(uniform(0.3, 1))
    local second = fill(names[2] == "theta" and "$c*cos(theta)" or pick { "$c", "$c*cos(x)", "$c*tanh(y)" },
                        { c = brief(uniform(-0.8, 0.8)) })
    local amplitude = { x = ("%.10g"):format(b), [names[2]] = second }
    table.insert(model.noise, bm.noise.gaussian { D = D, name = "shared", amplitude = amplitude })
    local on = {}
    for name, text in pairs(amplitude) do
      local target = model.target[name]
      on[target[1]] = ("(%s)*(%s)"):format(text, target[2])
    end
    table.insert(model.reference.noises, { D = D, multiplicative = true, on = on })
    model.say("shared D %g on x %g, %s %s", D, b, names[2], second)
  end
  if multiplicative or shared then model.interpret() end
  local duration = brief(min(uniform(5, 12) / model.slowest, 300 / model.fastest))
  local pushed = pick(names)
  local kind = pick { "none", "none", "coloured", "flips", "three states", "kicks", "drive" }
  more_force(model, pushed, model.slowest * 2, kind, duration)
  if chance(0.3) then
    local name = pick(names)
    add_event(model, name, false, duration)
  end
  if walled then
    local from, to = -brief(uniform(0.3, 1.2)), brief(uniform(0.3, 1.2))
    if chance(0.3) then to = huge end
    fields.walls = { [walled] = { "reflect", from = from, to = to < huge and to or nil } }
    model.reference.walls[walled] = { from, to }
    model.initial[walled] = brief(uniform(0.9 * from, 0.9 * min(to, 1)))
    model.reference.start[walled] = model.initial[walled]
    model.say("walls of %s at %g, %g", walled, from, to)
  end
  for _, name in ipairs(names) do
    if name == "theta" then
      model.average("cos_theta", "cos(theta)")
      model.average("sin_theta", "sin(theta)")
    else
      model.average("mean_" .. name, name)
      model.average("square_" .. name, name .. "^2")
    end
  end
  local pair = names[2] == "theta" and "x*cos(theta)" or "x*y"
  model.average("pair", pair)
  if massive and chance(0.5) then model.average("square_v", "v_x^2") end
  fields.noise, fields.drive, fields.events = model.noise, model.drive, model.events
  fields.inertia, fields.interpretation = model.inertia_of, model.interpretation
  return finish(model, bm.system(fields), duration)
end

-- One variable in a potential under coloured or Levy noise.
local function particle()
  local model = begin { "x" }
  local levy, periodic = chance(0.5), chance(0.5)
  local V0 = between(0.2, 3)
  local confined = { unpack(draw.confined) }
  if levy then confined[2] = confined[1] end  -- no force that grows faster than x: a step from afar would fly off
  local terms = { pick(periodic and draw.periodic or confined)(V0) }
  local V = draw.join(terms)
  model.say("V " .. V.text)
  local curvature = V0 * (periodic and 40 or 4)
  if V.text:find "max" then curvature = max(curvature, tonumber(V.text:match "%(([%d.e+-]+)%)")) end
  model.rate(curvature)
  model.slowest = V0
  local duration = brief(min(uniform(5, 12) / V0, 300 / curvature) * (periodic and 3 or 1))
  local massive = not levy and chance(0.25)
  local mass, gamma = between(0.1, 2), between(0.3, 2)
  if massive then model.inertia("x", mass, gamma) end
  model.reference.functions.slope = V.slope
  local fields = { potential = draw.potential_of(V.text, periodic) }
  local modulated = periodic and not levy and chance(0.3)  -- a confining V times a negative number does not confine
  model.push("x", modulated and "-slope(x)*(1 + modulation)" or "-slope(x)")
  if levy then
    local alpha = brief(uniform(0.6, 1.95))
    local beta = (abs(alpha - 1) > 0.15 and chance(0.4)) and brief(uniform(-1, 1)) or 0
    if abs(alpha - 1) < 0.02 then alpha = 1.05 end
    local scale = brief(between(0.1, 1) * (periodic and 0.5 or 1) * V0 ^ (1 / alpha))
    model.add_noise("x", bm.noise.levy { alpha = alpha, beta = beta, scale = scale })
    table.insert(model.reference.noises, { alpha = alpha, beta = beta, scale = scale, on = { x = "1" } })
    model.say("Levy %g %g %g", alpha, beta, scale)
  elseif modulated then
    local tau, sigma = brief(between(0.05, 3) / V0), brief(uniform(0.2, 0.8))
    model.add_noise("x", bm.noise.ornstein_uhlenbeck { tau = tau, sigma = sigma, modulate = "potential" })
    model.variable("modulation", function() return sigma * random_paths.normal() end, ("-modulation/%.17g"):format(tau))
    table.insert(model.reference.noises, { D = sigma ^ 2 / tau, on = { modulation = "1" } })
    model.rate(1 / tau)
    model.say("modulated: tau %g, sigma %g", tau, sigma)
  else
    more_force(model, "x", V0 * 2, "coloured", duration)
  end
  if modulated or chance(0.6) then
    local amplitude
    if not massive and chance(0.25) then
      local c = brief(uniform(0.2, 0.8))
      amplitude = periodic and fill(pick { "1 + $c*cos(2*pi*x)", "1 + $c*abs(sin(pi*x))" }, { c = c })
                  or fill(pick { "1 + $c*sin(x)", "sqrt(1 + $c*x^2)", "1 + $c*tanh(abs(x))" }, { c = c })
      if levy then amplitude = nil end
    end
    model.white("x", brief(V0 * between(0.03, 1)), amplitude)
    if amplitude then model.interpret() end
  end
  if chance(0.4) then more_force(model, "x", V0 * 2, pick { "flips", "three states", "kicks", "drive" }, duration) end
  if not massive and chance(0.25) then add_event(model, "x", periodic, duration) end
  if periodic then
    if chance(0.5) then
      local force = brief(V0 * uniform(-4, 4))
      fields.force = force
      model.push("x", ("%.10g"):format(force))
      model.say("force %g", force)
    end
    model.average("g1", "cos(2*pi*x)")
    model.average("g2", "sin(2*pi*x)")
  elseif levy then
    model.average("g1", "cos(x)")
    model.average("g2", "sin(x)")
    model.average("g3", "tanh(x)")
  else
    model.average("g1", "x")
    model.average("g2", "x^2")
  end
  fields.noise, fields.drive, fields.interpretation = model.noise.x, model.drive.x, model.interpretation
  if next(model.events) then fields.events = model.events end
  if massive then fields.mass, fields.gamma = mass, gamma end
  if massive then model.initial = { x = model.initial.x, v = 0 } end
  return finish(model, massive and bm.underdamped(fields) or bm.overdamped(fields), duration)
end

return { system = system, particle = particle }
