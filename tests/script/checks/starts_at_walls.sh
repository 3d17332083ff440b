# Paths that begin at a wall that absorbs, or beyond it, have left at that wall.
cat > exits.lua <<'LUA'
local bm = require "bmsim"
local function left(walls, x)
  local model = bm.overdamped { noise = bm.noise.gaussian { D = 1 }, walls = { x = walls } }
  local r = bm.run { model = model, initial = { x = x }, time = 0.5, paths = 4096 }
  return r:column "exit_above"[1], r:column "survival"[1]
end
local above, survival = left({ "absorb", to = 1 }, 1)
assert(above == 1 and survival == 0, above)
above, survival = left({ "absorb", to = 1 }, { mean = 0.9, sd = 1 })
assert(math.abs(above + survival - 1) < 1e-12 and survival > 0.1, above)
above, survival = left({ "absorb", from = 0 }, { mean = 0.1, sd = 1 })
assert(above == 0 and survival > 0.1, above)
above, survival = left({ "absorb", from = -1, to = 1 }, { mean = 0, sd = 3 })
assert(math.abs(2 * above + survival - 1) < 0.1, above)

-- A wall that reflects mirrors what a normal law has beyond it.
local box = bm.overdamped { noise = bm.noise.gaussian { D = 1 }, walls = { x = { "reflect", from = 0, to = 1 } } }
local r = bm.run { model = box, initial = { x = { mean = 0, sd = 3 } }, dt = 1e-3, time = 1e-3, paths = 4096,
                   observe = bm.observe.density { range = { -1, 2 }, bins = 3, times = { 1e-3 } } }
local density = r:array("density").values[1]
assert(density[1] == 0 and density[3] == 0 and math.abs(density[2] - 1) < 1e-6, density[2])
LUA
"$bmsim" exits.lua 2> stderr || { cat stderr >&2; fail "exit status $?"; }
