-- Mean times to leave an interval and to reach a level, at the default step: from the middle, from near an end, in a
-- drift, and out of a trap. They are good to about 1 %.
local bm = require "bmsim"
local noise = bm.noise.gaussian { D = 0.5 }
local function near(what, t, exact)
  assert(math.abs(t / exact - 1) < 0.02, ("%s: %.4f, exact %.4f"):format(what, t, exact))
end
local box = { x = { "absorb", from = -1, to = 1 } }
local half = { x = { { "reflect", from = 0 }, { "absorb", to = 1 } } }
for _, case in ipairs { { box, 0 }, { box, 0.5 }, { box, 0.8 }, { half, 0.2 }, { half, 0.9 } } do
  local walls, x = unpack(case)
  local r = bm.run { model = bm.overdamped { noise = noise, walls = walls }, time = 12, paths = 100000,
    initial = { x = x } }
  near("exit from " .. x, r:column "mean_exit_time"[1], 1 - x^2)
end
for _, case in ipairs { { { -1, 1 }, 0, 1 }, { { -1, 1 }, 0.8, 0.36 }, { 1, 0, 0.5, 2 }, { 0.2, 0, 0.1, 2 } } do
  local to, x, exact, force = unpack(case)
  local r = bm.run { model = bm.overdamped { noise = noise, force = force }, time = 24, paths = 100000,
    initial = { x = x }, observe = bm.observe.first_passage { to = to } }
  near("passage from " .. x, r:column "mean_first_passage_time"[1], exact)
end
-- Out of a trap, whose walls or levels lie where the density falls within a few steps: from an exact solution of
-- D T'' - k x T' = -1 by T'(x) = -(1/D) exp(k x^2/2D) int_0^x exp(-k y^2/2D) dy.
local k, D, exact, inner, n = 3, 0.5, 0, 0, 20000
for i = 1, n do
  local x, h = (i - 0.5) / n, 1 / n
  local weight = math.exp(-k * x ^ 2 / (2 * D))
  exact = exact + h / (D * weight) * (inner + weight * h / 2)
  inner = inner + weight * h
end
for _, case in ipairs { { "exit", box }, { "passage" } } do
  local what, walls = unpack(case)
  local trap = bm.overdamped { potential = bm.potential.harmonic { k = k }, noise = noise, walls = walls }
  local r = bm.run { model = trap, time = 60, paths = 200000, initial = { x = 0 },
    observe = not walls and bm.observe.first_passage { to = { -1, 1 } } or nil }
  near(what .. " from a trap", r:column(walls and "mean_exit_time" or "mean_first_passage_time")[1], exact)
end
