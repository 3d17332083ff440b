-- What a set of parameters costs the host: the plan of many points of a system, with everything given, with the step
-- chosen, and of random sets of four parameters within a factor of two; plan and run of a model of one variable, whose
-- paths make two steps. `only` = 1 is that model alone: a process with 10^6 points shows what one takes of memory.
--   bmsim -D points=100000 scripts/laboratory/sets.lua     a minute on two cores
--   /usr/bin/time -v bmsim -D points=1000000 -D only=1 scripts/laboratory/sets.lua
local bm = require "bmsim"
local count = bm.args.points or 4000
local function noise(name) return bm.noise.gaussian { D = 0.1, name = name } end
local model = bm.system {
  variables = { "x", "y" }, parameters = { a = 1, b = 1, K = 0.2 },
  equations = { x = "a*x - b*x^3 + K*(y - x)", y = "a*y - b*y^3 + K*(x - y)" },
  noise = { x = noise "nx", y = noise "ny" },
}
local a, K, random, state = {}, {}, { {}, {}, {}, {} }, 12345
for i = 1, count do
  a[i], K[i] = 0.5 + i / count, 0.1 + 0.3 * i / count
  for k = 1, 4 do
    state = state * 16807 % 2147483647
    random[k][i] = 0.707 * 2 ^ (state / 2147483647)
  end
end
local two = bm.zip { { "a", a }, { "K", K } }
local four = bm.zip { { "a", random[1] }, { "b", random[2] }, { "K", random[3] }, { "nx.D", random[4] } }

local function us(r, key) return tonumber(r.info[key]) / count * 1e6 end
local function plan(name, sweep, given)
  local r = bm.run {
    model = model, sweep = { sweep }, paths = 1, time = 50, dt = given and 0.01, method = given and "heun" or nil,
    precision = given and "single" or nil, check_step = false, transient = 0.1,
    observe = bm.observe.average { x2 = "x^2" },
  }
  print(("| %s | %.1f | |"):format(name, us(r, "plan_seconds")))
end
local function run_of_one(name, given)
  local r = bm.run {
    model = bm.overdamped {
      potential = bm.potential.sine {}, noise = { bm.noise.poisson { D = 0.1, lambda = 10 }, noise "bath" },
    },
    sweep = { { "force", bm.linspace(0, 6, count) } }, paths = 12, time = 0.02, dt = given and 0.01,
    method = given and "heun" or nil, precision = given and "single" or nil, check_step = false,
    output = bm.args.output,
  }
  print(("| %s | %.1f | %.1f |"):format(name, us(r, "plan_seconds"), us(r, "seconds")))
end
print(("| %d points | plan, us a point | run, us a point |\n|---|---|---|"):format(count))
if bm.args.only ~= 1 then
  plan("all given", two, true)
  plan("step chosen, two parameters", two)
  plan("step chosen, four parameters", four)
  run_of_one("one variable, step chosen")
end
run_of_one("one variable, all given", true)
