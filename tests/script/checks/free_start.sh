# Free particles begin at x = 0, with "uniform" over [-1/2, 1/2]; in a periodic potential over a period.
"$bmsim" - > stdout << 'LUA' || fail "exit status $?"
local bm = require "bmsim"
local function begin(potential, initial)
  local r = bm.run {
    model = bm.overdamped { potential = potential, noise = bm.noise.gaussian {} }, initial = initial, transient = 0,
    dt = 0.001, time = 0.01, paths = 64, observe = bm.observe.paths { paths = 64, times = { 0 } },
  }
  local x = r:array("paths_x").values[1]
  return math.min(unpack(x)), math.max(unpack(x))
end
for _, potential in ipairs { false, bm.potential.free {}, bm.potential.harmonic {} } do
  local low, high = begin(potential or nil)
  assert(low == 0 and high == 0, "not at 0")
end
for _, potential in ipairs { false, bm.potential.free {}, bm.potential.sine {} } do
  local low, high = begin(potential or nil, { x = "uniform" })
  assert(low >= -0.5 and low < -0.4 and high <= 0.5 and high > 0.4, "not over [-1/2, 1/2]")
end
local low, high = begin(bm.potential.sine { L = 4 })
assert(low < -1.6 and high > 1.6, "not over a period")
LUA
