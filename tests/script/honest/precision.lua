-- Where a particle moves less in a step, or between kicks, than single precision resolves, or where its numbers are too
-- near to the ends of single precision, double precision is taken.
local bm = require "bmsim"
local r = bm.run {
  model = bm.overdamped { potential = bm.potential.sine { V0 = 0.1 }, noise = bm.noise.poisson { D = 1e-4 },
    force = 3 },
  paths = 96, time = 2,
}
assert(r.info.precision == "double" and r.info.why_precision, r.info.precision)
-- without noise the current over a sine is the root of F^2 - (2 pi V0)^2
local v, err, near = r:column "velocity"[1], r:column "velocity_err"[1], math.sqrt(9 - (0.2 * math.pi) ^ 2)
assert(math.abs(v - near) < 4 * err + 1e-3, ("%g +- %g, near %g"):format(v, err, near))
r = bm.run { model = bm.overdamped { noise = bm.noise.poisson { D = 1e-7, a = 1 } }, paths = 1024 }
v, err = r:column "velocity"[1], r:column "velocity_err"[1]
assert(r.info.method == "exact" and r.info.precision == "double")
assert(math.abs(v) < 4 * err and err < 0.01, ("%g +- %g, exact 0"):format(v, err))

-- SI units: <v^2> = T/m of an atom in a trap; <x> = D/f above a wall, of a charge; events at zeros of an energy in
-- joules come as often as those of the same formula in other units.
local atom = { model = bm.underdamped { mass = 1.44e-25, gamma = 3e-20, noise = bm.noise.gaussian { T = 1.38e-28 },
                                        potential = bm.potential.harmonic { k = 1.44e-17 } },
               time = 1e-2, paths = 2000, observe = "velocity_squared" }
local function check(what, run, name, exact, part)
  v, err = run:column(name)[1], run:column(name .. "_err")[1]
  assert(math.abs(v - exact) < part * exact + 4 * err and err < 0.01 * exact,
         ("%s: %.5g(%.2g), exact %.5g"):format(what, v, err, exact))
end
r = bm.run(atom)
assert(r.info.precision == "double", r.info.precision)
check("atom", r, "velocity_squared", 1.38e-28 / 1.44e-25, 0.003)
atom.precision, atom.paths = "single", 96
r = bm.run(atom)
assert(r.info.warnings[1]:find("too small or too large for single precision", 1, true), r.info.warnings[1])
r = bm.run { model = bm.system { variables = { "x" }, equations = { x = "-1e-8" },
                                 noise = { x = bm.noise.gaussian { D = 1e-24 } },
                                 walls = { x = { "reflect", from = 0 } } },
             time = 2e-4, paths = 4000, initial = { x = 1e-16 }, transient = 0.3,
             observe = bm.observe.average { x = "x" } }
check("charge", r, "x", 1e-16, 0.01)
local rates = {}
for i, s in ipairs { 1, 1e-27 } do
  local cooled = bm.system { variables = { "x" }, inertia = { x = { gamma = 0.5 } }, equations = { x = "-x" },
                             parameters = { s = s }, noise = { x = bm.noise.gaussian { T = 0.5 } },
                             events = { cool = { when = "s*(x^2/2 + v_x^2/2 - 1)", direction = "up",
                                                 set = { x = "0.5*x", v_x = "0.5*v_x" } } } }
  r = bm.run { model = cooled, time = 100, paths = 1000, precision = "double", observe = "events" }
  rates[i] = r:column "cool_rate"[1]
end
assert(math.abs(rates[2] / rates[1] - 1) < 1e-6, ("%g and %g"):format(unpack(rates)))
