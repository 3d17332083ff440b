-- "auto" takes no method that is more than three times as expensive as another one: where noise is weak beside a force
-- the exact walk has a tick for every D/(2 u^2), and steps are taken. What they give is right.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian
local function check(what, r, name, exact, part)
  for i = 1, r.points do
    local value, err = r:column(name)[i], r:column(name .. "_err")[i]
    local right = type(exact) == "table" and exact[i] or exact
    assert(math.abs(value - right) < 4 * err + 1e-6 * math.abs(right) and err < part * math.abs(right),
           ("%s, point %d: %.7g(%.2g), exact %.7g"):format(what, i, value, err, right))
  end
end
local function takes(what, r, method)
  assert(r.info.method == method, ("%s: %s, %s"):format(what, r.info.method, r.info.why_method))
  assert(r.info.expected_seconds < 60, what .. ": " .. r.info.expected_seconds)
end

local D = { 1, 1e-2, 1e-4, 1e-6 }
local r = bm.run { model = bm.overdamped { force = 10, noise = gaussian { D = 1e-3 } }, sweep = { "gaussian.D", D },
                   time = 100, paths = 1024, observe = { "velocity", "diffusion" } }
takes("free", r, "heun")
check("free", r, "velocity", 10, 0.01)
check("free", r, "diffusion", D, 0.06)

-- Beside noise with events that is as weak, in a sweep of the force, and in the units of a colloid: metres and seconds.
local flips = bm.noise.dichotomous { Fa = 1e-3, Fb = 1e-3, tau = 0.1 }
r = bm.run { model = bm.overdamped { force = 30, noise = { gaussian { D = 1e-6 }, flips } }, time = 20, paths = 256 }
takes("dichotomous", r, "heun")
check("dichotomous", r, "velocity", 30, 1e-4)
r = bm.run { model = bm.overdamped { noise = { gaussian { D = 1e-7 }, bm.noise.poisson { lambda = 1, D = 1e-8 } } },
             sweep = { "force", { 1, 5 } }, time = 20, paths = 256 }
takes("poisson", r, "heun")
check("poisson", r, "velocity", { 1, 5 }, 1e-3)
r = bm.run { model = bm.overdamped { force = 1e-3, noise = gaussian { D = 4e-19 } }, time = 1000, paths = 1024,
             observe = { "velocity", "diffusion" } }
takes("colloid", r, "heun")
check("colloid", r, "velocity", 1e-3, 1e-4)
check("colloid", r, "diffusion", 4e-19, 0.06)

-- Where it costs less the walk stays.
local kinked = bm.potential.piecewise_linear {}
r = bm.run { model = bm.overdamped { potential = kinked, force = 0.3, noise = gaussian { D = 0.1 } }, time = 100,
             paths = 64 }
takes("walk", r, "exact")
