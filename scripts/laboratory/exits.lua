-- Mean times to leave (-1, 1), by walls that absorb and by levels of a first passage: errors at a few steps, for each
-- law of increments, and the time that each run takes. In a drift, and out of a trap.
--   bmsim --threads 1 exits.lua   a minute; -D paths=1000: quick
local bm = require "bmsim"
local D, noise = 0.5, bm.noise.gaussian { D = 0.5 }

-- From 0, under a constant force, and under -k x: D T'' + f T' = -1.
local function drift(force) return force == 0 and 1 / (2 * D) or math.tanh(force / (2 * D)) / force end
local function trap(k)
  local time, inner, n = 0, 0, 20000
  for i = 1, n do
    local x, h = (i - 0.5) / n, 1 / n
    local weight = math.exp(-k * x ^ 2 / (2 * D))
    time = time + h / (D * weight) * (inner + weight * h / 2)
    inner = inner + weight * h
  end
  return time
end
local cases = { { "free", { force = 0 }, drift(0) }, { "force 5", { force = 5 }, drift(5) },
                { "trap, k = 3", { potential = bm.potential.harmonic { k = 3 } }, trap(3) } }

print "| motion | dt | increments | exits | time | first passages | time |\n|---|---|---|---|---|---|---|"
for _, case in ipairs(cases) do
  for _, dt in ipairs { 0.064, 0.032, 0.008 } do
    for _, increments in ipairs { "gaussian", "near_gaussian", "five_point" } do
      local function measured(walls)
        local fields = { noise = noise, walls = walls and { x = { "absorb", from = -1, to = 1 } } or nil }
        for name, value in pairs(case[2]) do fields[name] = value end
        local r = bm.run { model = bm.overdamped(fields), initial = { x = 0 }, time = 20 * case[3], dt = dt,
                           increments = increments, paths = bm.args.paths or 400000, check_step = false,
                           observe = not walls and bm.observe.first_passage { to = { -1, 1 } } or nil }
        local name = walls and "mean_exit_time" or "mean_first_passage_time"
        local percent = 100 / case[3]
        return percent * (r:column(name)[1] - case[3]), percent * r:column(name .. "_err")[1], r.info.seconds
      end
      local error, its_error, time = measured(true)
      print(("| %s | %g | %s | %+.2f ± %.2f %% | %.2g s | %+.2f ± %.2f %% | %.2g s |"):format(case[1], dt, increments,
        error, its_error, time, measured(false)))
    end
  end
end
