-- What the models of random_models.lua are made of: random numbers, terms of potentials, drives.
local bit = require "bit"
local bm = require "bmsim"

local pi, abs, exp, sin, cos, floor, min, max = math.pi, math.abs, math.exp, math.sin, math.cos, math.floor, math.min,
                                                math.max

-- Random numbers that depend on the number of the model alone: Park and Miller, Commun. ACM 31, 1192 (1988).
local state = 1
local function uniform(a, b)
  state = state * 48271 % 2147483647
  return (a or 0) + ((b or 1) - (a or 0)) * state / 2147483647
end
-- Bits are mixed between the draws: without that the first draws of consecutive numbers were equally spaced.
local function seed_of(number)
  state = number % 2147483646 + 1
  for _ = 1, 20 do
    uniform()
    state = bit.bxor(state, bit.rshift(state, 13)) % 2147483646 + 1
  end
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

return {
  seed_of = seed_of, uniform = uniform, brief = brief, between = between, chance = chance, pick = pick, fill = fill,
  term = term, narrow = narrow, periodic = periodic_terms, confined = confined_terms, join = join,
  potential_of = potential_of, drive = draw_drive,
}
