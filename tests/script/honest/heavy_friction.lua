-- Inertia and steps longer than m/gamma: drift, diffusion and <v^2> of linear systems do not depend on the step.
local bm = require "bmsim"
local function check(what, value, err, exact, resolution)
  print(what, value, err, exact)
  assert(err <= resolution * exact and math.abs(value - exact) < 4 * err, what)
end

-- The step of a slow drive that has no amplitude, 0.157, is 16 m/gamma; and mass 1e-6, dt 0.01: 10000 m/gamma.
local drive = bm.drive.cosine { amplitude = 0, omega = 0.1 }
for _, run in ipairs { { mass = 0.01, drive = drive, periods = 3 }, { mass = 1e-6, dt = 0.01, time = 20 } } do
  local r = bm.run {
    model = bm.underdamped { mass = run.mass, gamma = 1, force = 1, noise = bm.noise.gaussian { T = 1 },
      drive = run.drive },
    dt = run.dt, periods = run.periods, time = run.time, paths = 20000, observe = { "velocity", "diffusion" }, seed = 1,
  }
  for p in r:rows() do
    check("v", p.velocity, p.velocity_err, 1, 0.01)
    check("D", p.diffusion, p.diffusion_err, 1, 0.02)
  end
end

-- <v^2> = T/m, dt = 5 m/gamma.
local r = bm.run {
  model = bm.underdamped { mass = 0.01, gamma = 1, potential = bm.potential.harmonic { k = 2 },
    noise = bm.noise.gaussian { T = 0.5 } },
  dt = 0.05, time = 20, paths = 20000, observe = "velocity_squared", seed = 1,
}
for p in r:rows() do check("<v^2>", p.velocity_squared, p.velocity_squared_err, 50, 0.002) end
