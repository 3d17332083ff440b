-- Noise whose flights are mostly to one side: no variance exists, and the mean is decided by flights that no path has
-- made.
local bm = require "bmsim"
local function ratchet(beta)
  return bm.overdamped {
    potential = bm.potential.ratchet { V0 = 1 / (2 * math.pi), b = 0.25 },
    noise = bm.noise.levy { alpha = 1.2, beta = beta, scale = 0.2 },
  }
end
local function run(model, observe)
  return bm.run { model = model, paths = 256, dt = 0.02, time = 10, observe = observe }
end
local function is_nan(x) return x ~= x end

local skewed = run(ratchet(-0.8), { "velocity", "diffusion", "peclet", "non_gaussianity" })
assert(is_nan(skewed:column("velocity_err")[1]), "the error of a mean that flights to one side decide must be nan")
for _, name in ipairs { "diffusion", "peclet", "non_gaussianity" } do
  assert(is_nan(skewed:column(name)[1]), name .. " does not exist, and must be nan")
end
local even = run(ratchet(0), "velocity")
assert(even:column("velocity_err")[1] > 0, "flights to both sides alike have an honest error")

local cauchy = bm.run { model = bm.overdamped { noise = bm.noise.levy { alpha = 0.9 } }, paths = 64, dt = 0.1,
  time = 1 }
assert(is_nan(cauchy:column("velocity")[1]), "a mean that does not exist must be nan")

-- With an index near 1 noise and force have hardly another ratio in shorter times: the layer at a kink gives no step.
local r = bm.run { model = bm.overdamped { potential = bm.potential.formula { "2.7*abs(x)" },
                                           noise = bm.noise.levy { alpha = 1.03, scale = 1.2 } },
                   time = 1e-3, paths = 16, check_step = false, initial = { x = 0 },
                   observe = bm.observe.average { c = "cos(x)" } }
assert(r:column "dt"[1] > 1e-10, r:column "dt"[1])
