-- The Lua API, called with what bytes choose: a call that would be right, of which some arguments are replaced by
-- others of any type. Returns a function of a text of bytes; it returns nothing, or what is wrong with a message.
local ffi = require "ffi"
local bm = require "bmsim"

-- ---- choices ----

local bytes, at = "", 0

local function byte()
  at = at + 1
  return bytes:byte(at) or 0
end

local function one_of(list) return list[byte() % #list + 1] end

-- ---- calls, made when their arguments are what they will be ----

local Call = {}

-- call("noise.poisson", { D = 1 }), or call(result, "column", "velocity") of a result that another call gives.
local function call(of, ...) return setmetatable({ of = of, select("#", ...), ... }, Call) end

local function is_call(value) return type(value) == "table" and getmetatable(value) == Call end

local as_they_are = {} -- tables that are not copied

local function is_plain(value)
  return type(value) == "table" and not as_they_are[value] and (getmetatable(value) == nil or is_call(value))
end

local function copy(value)
  if not is_plain(value) then return value end
  local made = {}
  for key, inner in pairs(value) do made[key] = copy(inner) end
  return setmetatable(made, getmetatable(value))
end

local function made_of(value)
  if not is_plain(value) then return value end
  if is_call(value) then
    local arguments = {}
    for i = 1, value[1] do arguments[i] = made_of(value[i + 1]) end
    local f, first = bm, 1
    if is_call(value.of) then
      local result = made_of(value.of)
      f, first = result[arguments[1]], 2
      return f(result, unpack(arguments, first, value[1]))
    end
    for word in value.of:gmatch "[^.]+" do f = f[word] end
    return f(unpack(arguments, first, value[1]))
  end
  local made = {}
  for key, inner in pairs(value) do made[key] = made_of(inner) end
  return made
end

-- ---- right arguments ----

local function motor()
  return call("overdamped", {
    potential = call("potential.piecewise_linear", { a = 0.3 }), force = 0.2,
    noise = { call("noise.poisson", { D = 1, a = 1.5 }), call("noise.gaussian", { D = 0.1, name = "bath" }) },
    drive = call("drive.cosine", { A = 1, omega = 2 }),
    walls = { x = { "reflect", from = -1, to = 1 } },
  })
end

local function well()
  return call("underdamped", {
    mass = 1, gamma = 0.5, potential = call("potential.formula", { "k*x^2/2 + a*cos(t)", k = 1, a = 0.1 }),
    noise = call("noise.gaussian", { T = 1 }), events = { kick = { rate = "r", set = { v = "0" }, r = 1 } },
  })
end

local function pair()
  return call("system", {
    variables = { "x", "y" }, equations = { x = "-k*x + y", y = "-w*y + s" }, parameters = { k = 1, w = 2 },
    define = { s = "sin(x)" }, period = { y = "2*pi" }, inertia = { x = { mass = 1, gamma = 1 } },
    noise = { x = call("noise.gaussian", { D = 1, amplitude = call("formula", { "sqrt(1 + b*y^2)", b = 0.1 }) }) },
    potential = { y = call("potential.sine", {}) }, force = { x = 0.1 }, interpretation = "ito",
    events = { seen = call("event.look", { every = 1, set = { y = "0" } }),
               back = call("event.reset", { rate = 1, x = 0 }) },
  })
end

local function pendulums()
  return call("system", {
    variables = { "x" }, fields = { c = "cos(x)" }, equations = { x = "c*sin(x)" },
    noise = { x = call("noise.gaussian", { D = 1 }) }, walls = { x = { "absorb", from = "-2", to = 3 } },
    events = { t = call("event.tumble", { rate = 2, angle = "x" }) },
  })
end

local observables = {
  "velocity", "diffusion", "mobility", "efficiency",
  call("observe.moments", { times = { 0.5, 1, 2 } }), call("observe.density", { bins = 20, range = { -1, 1 } }),
  call("observe.velocity_density", { bins = 20 }), call("observe.joint_density", { bins = 10 }),
  call("observe.displacement_density", { times = { 1 }, bins = 10 }),
  call("observe.fractional_moment", { orders = { 0.5 }, times = { 1, 2 } }), call("observe.current", { bins = 8 }),
  call("observe.correlation", { lags = 5, step = 0.5, origins = 4 }), call("observe.spectrum", { time = 1 }),
  call("observe.stroboscope", { period = 1 }), call("observe.paths", { count = 2, step = 0.1 }),
  call("observe.first_passage", { from = -1, to = 1, bins = 10 }), call("observe.residence", { from = 0, to = 1 }),
  call("observe.lyapunov", {}), call("observe.basins", {}), call("observe.turning_points", {}),
  call("observe.average", { square = "x^2" }), call("observe.integral", { W = "x*t", bins = 10, range = { -1, 1 } }),
  call("observe.work", {}), call("observe.heat", {}), call("observe.entropy_production", {}),
  call("observe.response", { to = "force" }), call("observe.events", { bins = 5, range = 3 }),
  call("observe.exits", {}), call("observe.joint_diffusion", {}), call("observe.non_gaussianity", { times = { 1 } }),
}

local function run(model)
  return call("run", {
    model = model, paths = 16, time = 2, spp = 20, dt = 0.05, transient = 0.1, observe = { one_of(observables) },
    seed = 1,
  })
end

local function swept()
  return call("run", {
    model = motor(),
    sweep = { { "poisson.D", { 0.1, 1 } }, call("zip", { { "poisson.a", { 1, 2 } }, { "force", { 0, 1 } } }) },
    paths = 16, periods = 2, spp = 20, method = "heun", precision = "double", increments = "auto", device = "cpu",
    target = { velocity = { rel = 0.5, abs = 0.1 } }, initial = { x = { from = 0, to = 1 } },
    memory = 100, threads = 1, chunk = "auto", limit = 10, replicas = 1, overwrite = true, output = "swept.nc",
  })
end

local starts = {
  motor, well, pair, pendulums, swept,
  function() return run(motor()) end,
  function() return run(well()) end,
  function() return run(pair()) end,
  function() return run(pendulums()) end,
  function() return call("linspace", 0, 1, 5) end,
  function() return call("logspace", 0.1, 1, 5) end,
  function() return call("zip", { { "a.b", { 1, 2 } }, { "c.d", { 3, 4 } } }) end,
  function() return call("formula", { "a*x", a = 1 }) end,
  function() return call("theory.poisson_velocity", { D = 1, a = 1.5 }) end,
  function() return call("theory.dichotomous_velocity", { D = 1, tau = 1 }) end,
  function() return call("theory.stratonovich", { potential = call("potential.sine", {}), D = 0.5, force = 0.1 }) end,
  function() return call("theory.lifson_jackson", { potential = call("potential.ratchet", {}), D = 0.5 }) end,
  function() return call("theory.kramers", { potential = call("potential.double_well", {}), D = 0.1, from = -1 }) end,
  function() return call("theory." .. one_of { "master", "inertial", "linear", "torus" }, { model = pair() }) end,
  function() return call("theory.curve", motor(), { "poisson.D", { 0.5, 1 } }, "master") end,
  function() return call("plot", { x = { 1, 2 }, y = { 3, 4 } }, { x = "x", y = "y", file = "columns.gp" }) end,
  function() return call(swept(), "columns") end,
  function() return call(swept(), "column", "velocity") end,
  function() return call(swept(), "arrays") end,
  function() return call(run(motor()), "array", "density") end,
  function() return call(swept(), "rows") end,
  function() return call(swept(), "add", "mine", { 1, 2, 3, 4 }) end,
  function() return call(swept(), "add", "mine", function(p) return p.poisson.D end) end,
  function() return call(swept(), "print", { "velocity" }) end,
  function() return call(swept(), "write", "written.csv") end,
  function() return call(swept(), "compare", "master", { of = "velocity" }) end,
  function()
    return call(swept(), "plot", {
      x = "poisson.D", y = { "velocity" }, group = "force", log = "x", file = "picture.gp", title = "a", xlabel = "b",
      xrange = { 0.1, 1 }, size = { 10, 8 }, legend = "left", titles = { "c" }, lines = true, units = false,
      where = function(p) return p.force > 0 end,
    })
  end,
  function()
    return call(swept(), "plot",
      { x = "poisson.D", y = "force", z = "velocity", palette = "viridis", zrange = { 0, 1 } })
  end,
  function()
    return call(run(motor()), "plot", { array = "density", theory = function(_, x) return x end, fold = 1 })
  end,
}

-- ---- other arguments ----

local round_and_round = {}
round_and_round.again = round_and_round
local thousands = {}
for i = 1, 3000 do thousands[i] = i end
as_they_are[round_and_round], as_they_are[thousands] = true, true

local others = {
  true, false, 0, 1, -1, 0.5, 2, 3, 17, 1e3, 0 / 0, 1 / 0, -1 / 0, 1e300, -1e300, 1e-300, 2 ^ 31, 2 ^ 53, -0.0, 1e9,
  "", "x", "y", "v", "D", "velocity", "poisson.D", "auto", "a\0b", "\27[31m", ("x"):rep(5000), "x +", "sin(x)", "1e999",
  "../up.csv", "no/such/directory.nc", "|echo", "-x.svg", "/dev/full", "%s%n", "\255\254",
  {}, { 1, 2, 3 }, { 1, 0 / 0 }, { 1, nil, 3 }, { x = 1 }, { {} }, { { { {} } } }, { "x" }, { "x", "y" }, { x = "x" },
  { [0.5] = 1 }, { [1e300] = 1 }, { [-1] = 1 }, { [true] = 1 }, { from = 1, to = 0 }, { mean = 1 }, { rel = -1 },
  round_and_round, thousands,
  function() return 1 end, function() end, function() return 0 / 0 end, function(p) return p.nothing end,
  function(p) return p.force end, type, coroutine.create(function() end), io.stdout, ffi.new "int[3]",
  ffi.cast("void*", 1), ffi.new "int64_t", bm, setmetatable({}, {}), motor(), pair(), run(motor()), "nil",
  call("observe.density", {}), call("noise.gaussian", {}), call("potential.sine", {}), call("drive.square", {}),
  call("formula", { "x" }),
}
local keys = { "x", "y", "v", "D", "name", "modulate", "of", "amplitude", "from", "to", "sweep", "observe", "bins",
  "target", "initial", "method", "nonsense", "", "a\0b", 1, 2, 0, -1, 0.5, 1e9, "t", "pi", "sin", "time", "range" }

local function other()
  local value = one_of(others)
  if value == "nil" then return nil end
  return copy(value)
end

local function sorted(t)
  local list = {}
  for key in pairs(t) do list[#list + 1] = key end
  table.sort(list, function(a, b) return tostring(a) < tostring(b) end)
  return list
end

-- Changes one argument somewhere in a call.
local function change(value)
  for _ = 1, 8 do
    if is_call(value) then
      if is_call(value.of) and byte() % 3 == 0 then
        value = value.of
      else
        local i = byte() % (value[1] + 1) + 2
        if i - 1 > value[1] then value[1] = i - 1 end
        if type(value[i]) ~= "table" or byte() % 8 == 0 then
          value[i] = other()
          return
        end
        value = value[i]
      end
    elseif not is_plain(value) then
      return
    else
      local names = sorted(value)
      local key = names[byte() % (#names + 2) + 1]
      if key == nil then key = one_of(keys) end
      if type(value[key]) ~= "table" or byte() % 4 == 0 then
        value[key] = other()
        return
      end
      value = value[key]
    end
  end
end

-- ---- messages ----

-- What Lua, LuaJIT's FFI, C++ and gnuplot say, and not this library.
local foreign = { "attempt to", "bad argument", "cannot convert", "stack overflow", "table overflow", "std::",
  "not enough memory", "string length overflow", "invalid order", "vector", "basic_", "bad_alloc", "size of C type",
  "missing declaration", "invalid value", "%.lua:%d+:", "stoi", "stod" }

local function wrong(message)
  if type(message) == "table" then message = rawget(message, "message") end
  if type(message) ~= "string" then return "an error that is a " .. type(message) end
  for _, words in ipairs(foreign) do
    if message:find(words) then return "a message that is not of this library: " .. message end
  end
  if not message:find "^script:%d+: ." then return "a message without the script's line: " .. message end
end

return function(given)
  bytes, at = given, 0
  local start = copy(one_of(starts)())
  for _ = 1, byte() % 4 do change(start) end
  local ok, message = pcall(made_of, start)
  if not ok then return wrong(message) end
end
