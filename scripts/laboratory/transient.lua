-- What the check of the transient costs: rates with it over those without, by the device's clock, the best of three
-- runs each, in turn.
--   bmsim transient.lua   a minute on a GPU; -D paths=N: quick
local bm = require "bmsim"
local paths = bm.args.paths or 1048576
local share = bm.args.paths and 0.01 or 1 -- of the time of the runs

local kinked, sine = bm.potential.piecewise_linear {}, bm.potential.sine {}
local kicks, heat = bm.noise.poisson { D = 1, a = 2.5 }, bm.noise.gaussian { D = 0.1 }
local active = bm.system {
  variables = { "x", "y", "theta" }, parameters = { v0 = 1, V0 = 0.5 },
  equations = { x = "v0*cos(theta) - V0*cos(2*pi*x)", y = "v0*sin(theta)", theta = "0" },
  noise = { x = bm.noise.gaussian { name = "of_x", D = 0.1 }, y = bm.noise.gaussian { name = "of_y", D = 0.1 },
            theta = bm.noise.gaussian { name = "of_theta", D = 1 } },
}
local driven = bm.underdamped {
  potential = sine, noise = bm.noise.gaussian { T = 0.001 }, gamma = 0.9,
  drive = bm.drive.cosine { amplitude = 4.2, omega = 4.9 },
}
local function particle(potential, noise, force)
  return bm.overdamped { potential = potential, noise = noise, force = force }
end

print "| work | 10^9 steps/s without it | with it | ratio |\n|---|---|---|---|"
for _, case in ipairs {
  { "Model I, spp 400", particle(kinked, kicks), { spp = 400, periods = 1000, method = "heun" } },
  { "Model I, D_G = 0.1", particle(kinked, { kicks, heat }), { spp = 400, periods = 500, method = "heun" } },
  { "Model I, sine, D_G = 0.1", particle(sine, { kicks, heat }), { spp = 400, periods = 1000, method = "heun" } },
  { "Model II", particle(kinked, bm.noise.dichotomous { Fa = 3, Fb = 1.6, tau = 0.2 }),
    { spp = 200, periods = 2000, method = "heun" } },
  { "tilted sine, thermal", particle(sine, heat, 1), { dt = 0.002, time = 1000 } },
  { "underdamped, driven, thermal", driven, { spp = 200, periods = 2000 } },
  { "Model I, exact, as steps of spp 400", particle(kinked, kicks), { periods = 400000, method = "exact" } },
  { "active particle", active, { dt = 0.002, time = 300 } },
} do
  local best = { [false] = 0, [true] = 0 }
  for _ = 1, 3 do
    for _, check in ipairs { false, true } do
      local options = { model = case[2], paths = paths, check_step = false, check_transient = check }
      for name, value in pairs(case[3]) do
        options[name] = (name == "periods" or name == "time") and value * share or value
      end
      local r = bm.run(options)
      best[check] = math.max(best[check], tonumber(r.info.steps) / tonumber(r.info.device_seconds or r.info.seconds))
    end
  end
  print(("| %s | %.1f | %.1f | %.2f |"):format(case[1], best[false] / 1e9, best[true] / 1e9, best[true] / best[false]))
end
