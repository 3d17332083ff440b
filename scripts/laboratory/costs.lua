-- Costs of events of the script, of walls, and of functionals of the path: rates of a run with them over those of one
-- without, by the device's clock, the best of two.
--   bmsim costs.lua   half a minute on a GPU; -D paths=N: quick
local bm = require "bmsim"
local paths = bm.args.paths or 524288
local time = bm.args.time or bm.args.paths and 6 or 600

local function rate(model, ...)
  local best = 0
  for _ = 1, 2 do
    local r = bm.run { model = model, time = time, dt = 0.005, paths = paths, transient = 0.1, check_step = false,
                       initial = { x = 0.1 }, observe = { "velocity", ... } }
    best = math.max(best, tonumber(r.info.steps) / tonumber(r.info.device_seconds or r.info.seconds))
  end
  return best
end
local function row(what, with, without)
  print(("| %s | %.1f | %.2f |"):format(what, with / 1e9, with / without))
end

print "| run | 10^9 steps/s | over that without |\n|---|---|---|"
local sine, heat = bm.potential.sine { V0 = 1 }, bm.noise.gaussian { D = 0.5 }
local plain = rate(bm.overdamped { potential = sine, noise = heat })
row("sine", plain, plain)
local kicked = rate(bm.overdamped { potential = sine, noise = { heat, bm.noise.poisson { lambda = 1, zeta = 0.5 } } })
row("sine, Poissonian noise", kicked, plain)
local function jumping(rate_of)
  return bm.overdamped { potential = sine, noise = heat,
                         events = { kick = { rate = rate_of, l = 1, set = { x = "x + 0.5*E" } } } }
end
row("sine, events at a constant rate, over Poissonian noise", rate(jumping "l"), kicked)
row("sine, events at a rate of x", rate(jumping "l*(1 + cos(2*pi*x)/2)"), plain)

local well = bm.potential.harmonic { k = 1 }
local function leaky(events)
  return bm.overdamped { potential = well, noise = bm.noise.gaussian { D = 0.05 }, force = 0.8, events = events }
end
plain = rate(leaky())
row("trap", plain, plain)
local firing = leaky { fire = { when = "x - 1", direction = "up", set = { x = "0" } } }
row("trap, events when x passes 1", rate(firing), plain)
local function bouncing(events)
  return bm.underdamped { potential = well, noise = bm.noise.gaussian { T = 1 }, gamma = 1, events = events }
end
plain = rate(bouncing())
row("trap with inertia", plain, plain)
local bounces = bouncing { bounce = { when = "x", direction = "down", set = { v = "-v" } } }
row("trap with inertia, bounces at 0", rate(bounces), plain)

local function within(walls, force, potential)
  return bm.overdamped { potential = potential, noise = heat, force = force, walls = walls }
end
local ground, box = { x = { "reflect", from = 0 } }, { x = { "reflect", from = 0, to = 1 } }
plain = rate(within(nil, -1))
row("constant force", plain, plain)
row("constant force to a wall", rate(within(ground, -1)), plain)
row("constant force in a box", rate(within(box, -1)), plain)
row("box without a force", rate(within(box)), plain)
plain = rate(within(nil, nil, well))
row("trap, D = 0.5", plain, plain)
row("trap, D = 0.5, wall in the middle", rate(within(ground, nil, well)), plain)

local drive = bm.drive.cosine { amplitude = 0.8, omega = 2 }
local function functionals(name, model)
  local without = rate(model)
  row(name, without, without)
  for _, one in ipairs { "work", "heat", "entropy_production" } do
    row(name .. ", " .. one, rate(model, one), without)
  end
  return without
end
local driven = bm.overdamped { potential = well, noise = heat, drive = drive }
local without = functionals("driven trap", driven)
row("driven trap, work by its formula", rate(driven, bm.observe.integral { W = "0.8*2*sin(2*t)*x" }), without)
row("driven trap, response", rate(driven, bm.observe.response { omega = "cosine.omega" }), without)
functionals("driven sine", bm.overdamped { potential = sine, noise = heat, drive = drive })
functionals("trap with inertia, D = 0.5", bm.underdamped { potential = well, noise = heat, gamma = 1 })
functionals("the same, driven", bm.underdamped { potential = well, noise = heat, gamma = 1, drive = drive })
functionals("tilted sine with inertia", bm.underdamped { potential = sine, noise = heat, gamma = 1, force = 1 })
