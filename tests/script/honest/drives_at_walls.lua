-- Default steps in a box where forces that change with time press paths to the walls: drives, formulas of t, noises
-- with states or memory. All must resolve D/f^2, in which the density at a wall is made.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian
local D, F, omega = 0.3, 10, 0.5

local function squares(model, dt, paths, seed)
  local r = bm.run { model = model, dt = dt, paths = paths, seed = seed, time = 13, transient = 0.05,
                     initial = { x = 0.2 }, observe = bm.observe.average { x2 = "x^2" }, check_transient = false,
                     check_step = false }
  return r:column "x2"[1], r:column "x2_err"[1], r:column "dt"[1]
end
local function check(what, model)
  local value, err, dt = squares(model, nil, 1024, 1)
  local exact, exact_err = squares(model, 0.1 * D / F ^ 2, 256, 2)
  assert(dt < 2.5 * D / F ^ 2, ("%s: dt = %g"):format(what, dt))
  assert(math.abs(value - exact) < 0.006 + 4 * math.sqrt(err ^ 2 + exact_err ^ 2),
         ("%s: <x^2> = %.4g(%.1g), exact %.4g(%.1g)"):format(what, value, err, exact, exact_err))
end

local walls = { x = { "reflect", from = -1, to = 1 } }
local white = gaussian { D = D }
local function driven(drive) return bm.overdamped { noise = white, drive = drive, walls = walls } end
check("cosine", driven(bm.drive.cosine { amplitude = F, omega = omega }))
check("formula", driven(bm.drive.formula { ("%g*sin(%g*t)"):format(F, omega) }))
check("equation", bm.system { variables = { "x" }, equations = { x = ("%g*sin(%g*t)"):format(F, omega) },
                              noise = { x = white }, walls = walls })
local function pushed(noise) return bm.overdamped { noise = { white, noise }, walls = walls } end
check("two states", pushed(bm.noise.dichotomous { Fa = F, Fb = F, mu_a = 0.4, mu_b = 0.4 }))
check("memory", pushed(bm.noise.ornstein_uhlenbeck { sigma = F, tau = 2 }))

-- What presses nothing to a wall asks for nothing.
local _, _, dt = squares(driven(bm.drive.cosine { amplitude = 0.1, omega = omega }), nil, 64, 1)
assert(dt > 0.02, ("a weak drive: dt = %g"):format(dt))
