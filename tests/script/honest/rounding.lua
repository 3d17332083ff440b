-- What is added in a step is resolved beside what it is added to: else double precision is taken, and single precision
-- warned of.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian
local function check(what, value, err, exact, part)
  assert(math.abs(value - exact) < 4 * err and err < part * exact,
         ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
end
local function check_precision(what, r, precision)
  assert(r.info.precision == precision and (r.info.why_precision ~= nil) == (precision == "double"),
         what .. ": " .. r.info.precision)
end

-- Noise beside a drift.
local function diffusion(what, model, run, exact, name)
  run.model, run.paths, run.observe, run.time = model, 512, "diffusion", 20
  local r = bm.run(run)
  name = name or "diffusion"
  check(what, r:column(name)[1], r:column(name .. "_err")[1], exact, 0.1)
  return r
end
local function rotor(w)
  return bm.system { variables = { "th" }, equations = { th = "w" }, parameters = { w = w }, period = { th = "2*pi" },
                     noise = { th = gaussian { D = 1e-3 } } }
end
for _, w in ipairs { 1, 3e5, 1e8 } do
  check_precision("rotor", diffusion("rotor", rotor(w), { initial = { th = 0 } }, 1e-3, "diffusion_th"),
                  w > 1 and "double" or "single")
end
diffusion("force", bm.overdamped { force = 3e5, noise = gaussian { D = 1e-3 } }, { dt = 0.02 }, 1e-3)
diffusion("drive", bm.overdamped { drive = bm.drive.formula { "3e5*(1 + cos(t))" }, noise = gaussian { D = 1e-3 } },
          { dt = 0.02 }, 1e-3)
diffusion("inertia", bm.underdamped { force = 1e5, noise = gaussian { T = 1e-9 } }, { dt = 0.02 }, 1e-9)
local r = bm.run { model = rotor(3e5), time = 1, paths = 64, precision = "single", observe = "diffusion" }
assert(r.info.warnings[1]:find('the noise of th in a step, .* give precision = "double"'), r.info.warnings[1])

-- Drift beside noise, which is larger.
local function mean(what, model, x, dt, time, exact, part)
  r = bm.run { model = model, time = time, dt = dt, paths = 16, initial = { x = x }, transient = 0,
               observe = bm.observe.moments { times = { time } }, check_step = false }
  check_precision(what, r, "double")
  local value, err = r:array("x_cumulant_1").values[1][1], r:array("x_cumulant_1_err").values[1][1]
  assert(math.abs(value - x - exact) < 4 * err and err < part * math.abs(exact),
         ("%s: %.5g(%.2g), exact %.5g"):format(what, value - x, err, exact))
end
local slow = gaussian { D = 0.01 }
mean("sine", bm.overdamped { potential = bm.potential.sine {}, noise = slow }, 0, 1e-9, 4e-4, -2 * math.pi * 4e-4, 0.6)
mean("force", bm.overdamped { force = 5, noise = slow }, 0.3, 1e-9, 4e-4, 2e-3, 0.6)
mean("trap", bm.overdamped { potential = bm.potential.harmonic {}, noise = slow }, 70, 1e-8, 0.002, -0.14, 0.1)
mean("system", bm.system { variables = { "x" }, equations = { x = "20*x" }, noise = { x = slow } }, 0.7, 1e-9, 4e-4,
     5.6e-3, 0.3)

-- t beside the structure of a formula of t.
r = bm.run { model = bm.overdamped { noise = gaussian { D = 1e-9 }, drive = bm.drive.formula { "exp(-(t-5e5)^2)" } },
             time = 1e6, dt = 0.9, paths = 16, initial = { x = 0 }, transient = 0,
             observe = bm.observe.moments { times = { 1e6 } }, check_transient = false }
check_precision("late", r, "double")
check("late", r:array("x_cumulant_1").values[1][1], r:array("x_cumulant_1_err").values[1][1], math.sqrt(math.pi), 0.05)

-- Ordinary models keep single precision.
local function ordinary(model, run)
  run.model, run.paths = model, 64
  check_precision("ordinary", bm.run(run), "single")
end
ordinary(bm.overdamped { potential = bm.potential.sine {}, noise = gaussian { D = 1e-3 }, force = 3 }, { time = 10 })
ordinary(bm.underdamped { potential = bm.potential.sine {}, gamma = 0.01, noise = gaussian { T = 0.1 } },
         { time = 100 })
ordinary(bm.overdamped { drive = bm.drive.formula { "exp(-t/0.01)" }, noise = slow }, { time = 100, dt = 0.01 })
ordinary(bm.overdamped { force = 1e-6, noise = gaussian { D = 1 } }, { time = 10 })
