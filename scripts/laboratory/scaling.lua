-- Rates on 1, 2, 4, ... devices, and their ratios: the seconds of whole runs without compilation, the best of three;
-- every number of every run is compared with those of one device, too.
--   bmsim -D devices=cuda:0,cuda:1,cuda:2,cuda:3 scaling.lua   two minutes; -D work=N: N times the steps
local bm = require "bmsim"
local devices = {}
for name in (bm.args.devices or "cuda:0,cuda:1"):gmatch "[^,]+" do devices[#devices + 1] = name end
local work = bm.args.work or 1

local model = bm.overdamped { potential = bm.potential.sine { V0 = 1 }, noise = bm.noise.gaussian { D = 0.5 },
                              drive = bm.drive.cosine { amplitude = 0.5, omega = 2 } }
local function forces(n) return { { "force", bm.linspace(0, 2, n) } } end
local runs = {
  { "one point of 2^20 paths, long", paths = 2 ^ 20, time = 2000 },
  { "one point of 2^20 paths, short", paths = 2 ^ 20, time = 500 },
  { "5 points of 2^18 paths", paths = 2 ^ 18, time = 1500, sweep = forces(5) },
  { "1024 points of 2^11 paths", paths = 2 ^ 11, time = 1000, sweep = forces(1024) },
  { "1024 points of 2^10 paths, recorded", paths = 2 ^ 10, time = 1000, sweep = forces(1024),
    observe = { bm.observe.moments { count = 20 }, bm.observe.density { bins = 50 } } },
  { "64 points to a target", paths = 2 ^ 14, time = 100, sweep = forces(64), target = { velocity = { abs = 3e-5 } },
    limit = 2 ^ 22, observe = { "velocity" } },
  { "64 points, error of the step", paths = 2 ^ 15, time = 100, sweep = forces(64), step_error = true },
}

local function run(one, count)
  local best, result = math.huge, nil
  for _ = 1, 3 do
    local o = { model = model, dt = 0.005, transient = 0.1, check_step = false,
                device = table.concat(devices, ",", 1, count), observe = one.observe or { "velocity", "diffusion" } }
    for key, value in pairs(one) do if key ~= 1 then o[key] = value end end
    o.time = one.time * work
    result = bm.run(o)
    best = math.min(best, tonumber(result.info.seconds))
  end
  return best, result
end
local function same(a, b)
  for _, name in ipairs(a:columns()) do
    for i = 1, #a do
      local x, y = a[name][i], b[name][i]
      if x ~= y and (x == x or y == y) then return false end
    end
  end
  return true
end

print "| run | devices | seconds | 10^9 steps/s | over one device | same bits |\n|---|---|---|---|---|---|"
for _, one in ipairs(runs) do
  local alone, first
  local count = 1
  while count <= #devices do
    local seconds, result = run(one, count)
    alone, first = alone or seconds, first or result
    print(("| %s | %d | %.3f | %.1f | %.2f | %s |"):format(one[1], count, seconds, result.info.steps / seconds / 1e9,
      alone / seconds, same(first, result) and "yes" or "NO"))
    if count > 1 and bm.args.verbose then print(result.info.devices) end
    count = count * 2
  end
end
