# Free particles begin at x = 0, with "uniform" over [-1/2, 1/2]; in a periodic potential over a period, the one nearest
# to 0 between walls; over all between walls that are nearer to each other.
"$bmsim" - > stdout << 'LUA' || fail "exit status $?"
local bm = require "bmsim"
local function begin_of(model, initial)
  local r = bm.run { model = model, initial = initial, transient = 0, dt = 0.001, time = 0.01, paths = 64,
    observe = bm.observe.paths { paths = 64, times = { 0 } } }
  local x = r:array("paths_x").values[1]
  return math.min(unpack(x)), math.max(unpack(x))
end
local function begin(potential, initial, walls)
  return begin_of(bm.overdamped { potential = potential, noise = bm.noise.gaussian {}, walls = walls }, initial)
end
local function over(low, high, a, b, what)
  local near = 0.1*(b - a)
  if low < a or low > a + near or high > b or high < b - near then
    error(("%s: from %g to %g, not over [%g, %g]"):format(what, low, high, a, b))
  end
end
for _, potential in ipairs { false, bm.potential.free {}, bm.potential.harmonic {} } do
  local low, high = begin(potential or nil)
  assert(low == 0 and high == 0, "not at 0")
end
for _, potential in ipairs { false, bm.potential.free {}, bm.potential.sine {} } do
  local low, high = begin(potential or nil, { x = "uniform" })
  over(low, high, -0.5, 0.5, "uniform")
end
local low, high = begin(bm.potential.sine { L = 4 })
over(low, high, -2, 2, "a period")

for _, case in ipairs {
  { { from = -3, to = 3 }, -0.5, 0.5 }, { { from = 0 }, 0, 1 }, { { to = 0.2 }, -0.8, 0.2 }, { { from = 2 }, 2, 3 },
  { { from = 0, to = 3 }, 0, 1 }, { { from = 1, to = 1.5 }, 1, 1.5 }, { { from = -5, to = -1 }, -2, -1 },
} do
  local walls, a, b = unpack(case)
  walls[1] = "reflect"
  for _, initial in ipairs { false, { x = "uniform" } } do
    low, high = begin(bm.potential.sine {}, initial or nil, { x = walls })
    over(low, high, a, b, "a period between walls")
  end
  low, high = begin(nil, { x = "uniform" }, { x = walls })
  over(low, high, a, b, "free between walls")
end
low, high = begin(bm.potential.harmonic {}, { x = "uniform" },
  { x = { { "reflect", from = -1 }, { "absorb", to = 2 } } })
over(low, high, -1, 2, "between walls")
local box = bm.system { variables = { "x", "y" }, equations = { x = "-x", y = "-y" },
  noise = { x = bm.noise.gaussian {} }, walls = { x = { "reflect", from = -2, to = 1 } } }
local r = bm.run { model = box, initial = { x = "uniform" }, transient = 0, dt = 0.001, time = 0.01, paths = 64,
  observe = bm.observe.paths { of = "x", paths = 64, times = { 0 } } }
local x = r:array("paths_x").values[1]
over(math.min(unpack(x)), math.max(unpack(x)), -2, 1, "a variable of a system between walls")
LUA
