-- Models of one variable without inertia, drawn at random, and their reference: the Fokker-Planck equation on a grid.
local bm = require "bmsim"
local fokker_planck = require "fokker_planck"
local draw = require "random_terms"

local most_steps = 2e5  -- of a run, about
local cells, refinements = tonumber(bm.args.cells) or 200, tonumber(bm.args.refinements) or 3  -- of the coarsest grid
local pi, abs, exp, sin, cos, sqrt, floor, max, min = math.pi, math.abs, math.exp, math.sin, math.cos, math.sqrt,
                                                     math.floor, math.max, math.min
local uniform, brief, between, chance, pick = draw.uniform, draw.brief, draw.between, draw.chance, draw.pick
local fill, term = draw.fill, draw.term

return function()
  local what, V0 = {}, between(0.2, 5)
  local function say(text) what[#what + 1] = text end
  local place = pick { "periodic", "periodic", "confined", "confined", "box", "exit" }
  local D = brief(V0 * between(0.08, 2))
  local periodic = place == "periodic"
  local terms = { pick(periodic and draw.periodic or draw.confined)(V0) }
  if chance(0.35) then terms[2] = draw.narrow(periodic, 3 * D, 2) end
  if place == "box" or place == "exit" then
    if chance(0.3) then terms = { term("0*x", {}, function() return 0 end, function() return 0 end) } end
  end
  local V = draw.join(terms)
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
  if V.text ~= "0*x" then fields.potential = draw.potential_of(V.text, periodic) end
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
    drive = draw.drive(size, duration)
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
    -- A drive may take paths further: as far as it takes one without noise, and what noise adds.
    local x, lowest, highest, steps = start, start, start, 1e5
    for i = 1, drive and steps or 0 do
      local t = (i - 0.5) * duration / steps
      x = x + duration / steps * (drive.f(t) - V.slope(x) - kicks_sum)
      lowest, highest = min(lowest, x), max(highest, x)
    end
    local spread = 6 * sqrt(2 * heat * duration)
    if lowest < reference.from then reference.from = lowest - spread end
    if highest > reference.to then reference.to = highest + spread end
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
      if event ~= "every" then  -- after which the time of the last step counts
        observe[1] = bm.observe.moments { times = { duration } }
        compare("x_cumulant_1", function(values) return values.x_2 end, 0.3)
        compare("x_cumulant_2", function(values) return values.x2_2.value - values.x_2.value ^ 2,
                values.x2_2.err + 2 * abs(values.x_2.value) * values.x_2.err end)
      end
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
