-- What has no right number, or one that costs too much.
local bm = require "bmsim"

-- V that jumps inside its period has a force that does not know of it: it is refused with the place and the height.
do
  local saw = bm.potential.formula { "V0*(x/L - floor(x/L))", V0 = 5, L = 1 }
  local ok, message = pcall(bm.run, {
    model = bm.overdamped { potential = saw, noise = bm.noise.gaussian { D = 1 } }, dt = 0.001, time = 1, paths = 64,
  })
  assert(not ok, "a potential that jumps was run")
  assert(message:find("V must not jump: at x = 0 it falls by 5", 1, true), message)

  -- Beside functions that switch thousands of times in a period, too.
  for _, f in ipairs { "abs(sin(2*pi*1000*x))", "max(sin(2*pi*500*x), 0)", "abs(mod(700*x, 1) - 0.5)" } do
    for _, width in ipairs { "1e-5", "0.01" } do
      local V = bm.potential.formula { ("0.1*%s + if(abs(x - 0.123456) < %s, 3, 0)"):format(f, width), L = 1 }
      ok, message = pcall(bm.run, { model = bm.overdamped { potential = V, noise = bm.noise.gaussian { D = 0.1 } },
                                    dt = 1e-4, time = 1e-3, paths = 16 })
      assert(not ok and message:find("V must not jump: at x = 0.1", 1, true), message)
    end
  end

  -- With a slope in the place of the jump it is run, and there is no current in equilibrium.
  local slope = bm.potential.formula {
    "V0*min((x/L - floor(x/L))/(1 - w), (1 - x/L + floor(x/L))/w)", V0 = 5, w = 0.1, L = 1,
  }
  local r = bm.run {
    model = bm.overdamped { potential = slope, noise = bm.noise.gaussian { D = 1 } }, dt = 0.0005, time = 20,
      paths = 512,
  }
  local v, err = r:column("velocity")[1], r:column("velocity_err")[1]
  assert(math.abs(v) < 4 * err, ("%g +- %g"):format(v, err))
end

-- V = log(x) has no value for x <= 0, where particles begin, and where they come to from any other place.
do
  local model = bm.overdamped { potential = bm.potential.formula { "log(x)" }, noise = bm.noise.gaussian { D = 1 } }
  for _, x in ipairs { 0, 1 } do
    local ok, message = pcall(bm.run, { model = model, initial = { x = x }, dt = 0.001, time = 1, paths = 64 })
    assert(not ok, "a potential that is not finite was run")
    assert(message:find("V must be finite", 1, true) and message:find("at x = 0", 1, true), message)
  end
end

-- "auto" takes no method that is more than three times as expensive as another one: where noise is weak beside a force
-- the exact walk has a tick for every D/(2 u^2), and steps are taken. What they give is right.
do
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

  -- Beside noise with events that is as weak, in a sweep of the force, and in the units of a colloid: metres and
  -- seconds.
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
end
