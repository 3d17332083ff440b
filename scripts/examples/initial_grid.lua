-- Hysteresis: an inertial particle on a tilted washboard, x'' + gamma x' = -V'(x) + F without noise, V = sin 2 pi x, or
-- a Josephson junction under a current F. Between two forces it is locked or runs, depending on how it started. At rest
-- in the old minimum it stays locked until its energy carries it over the barrier, at full speed it runs down to where
-- friction takes more than F gives: F_r = (4/pi) gamma sqrt(V0/m) for gamma -> 0. The mean over a grid of starting
-- points (x, v) shows the basin of the running state. H. Risken, The Fokker-Planck Equation, chapter 11; W. C. Stewart,
-- Appl. Phys. Lett. 12, 277 (1968).
local bm = require "bmsim"
local gamma, grid = 1, bm.args.grid or bm.args.full and 64 or 24

local starts = {
  { "rest", 64, { x = -0.25, v = 0 } }, -- the bottom of the well without force
  { "fast", 64, { x = { from = 0, to = 1 }, v = 8 } },
  { "grid", grid * grid, { x = { from = -0.5, to = 0.5, count = grid }, v = { from = -8, to = 8, count = grid } } },
}
local result
for _, start in ipairs(starts) do
  local r = bm.run {
    model = bm.underdamped { gamma = gamma, potential = bm.potential.sine {} },
    sweep = { "force", bm.linspace(0.5, 7.5, bm.args.points or bm.args.full and 113 or 29) },
    initial = start[3], paths = start[2], time = 200, dt = 0.005, transient = 0.5,
  }
  result = result or r
  result:add(start[1], r:column "velocity")
end
result:add("running", function(p) return p.grid / math.max(p.fast, 1e-9) end) -- fraction of the grid
result:print { "force", "rest", "fast", "grid", "running" }
if bm.args.output then result:write(bm.args.output) end
if bm.args.plot then
  result:plot { x = "force", y = { "rest", "fast", "grid" }, ylabel = "{/:Italic v}", file = bm.args.plot,
                titles = { "from rest in the minimum", "from {/:Italic v} = 8", "mean over the grid" } }
end
