# Exact results: the values of the tables in the documentation, for fields and for models, as curves, and beside what
# was measured.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local theory = bm.theory
local function expect(value, known, within) assert(math.abs(value - known) < (within or 1e-6), value) end
for D, known in pairs { [0.3] = .163336, [1] = .363084, [3] = .395627, [1e-5] = 0, [1e9] = 0.4 } do
  expect(theory.poisson_velocity { D = D, a = 2.5 }, known)
end
expect(theory.poisson_velocity { D = 1, a = 1.5 }, .581987)
expect(theory.poisson_velocity { lambda = 2.25, zeta = 1 / 1.5 }, .581987)
for tau, known in pairs { [.05] = -.044974, [.2] = -.248280, [1e-6] = 0 } do
  expect(theory.dichotomous_velocity { Fa = 3, Fb = 1.6, tau = tau }, known)
  expect(theory.dichotomous_velocity { Fa = 1.6, Fb = 3, tau = tau }, -known)
end
expect(theory.dichotomous_velocity { Fa = 3, Fb = 1.1, tau = 1 }, -.550060)
local saw = bm.potential.piecewise_linear { x = { 0, 0.3 }, V = { 0, 1 }, L = 1 }
local tilted = theory.poisson_velocity { potential = saw, D = 1, a = 5, force = 0.2 }
expect(theory.poisson_velocity { model = bm.overdamped { potential = saw, noise = bm.noise.poisson { D = 1, a = 5 },
                                                         force = 0.2 } }, tilted, 1e-15)

local sine = bm.potential.sine {}
local v, D_eff = theory.stratonovich { potential = sine, D = .5, force = 2 * math.pi }
expect(v, 3.93656, 1e-5)
expect(D_eff, .79524, 1e-5)
local formula = bm.potential.formula { "sin(2*pi*x/L)", L = 1 }
expect(theory.stratonovich { potential = formula, D = .5, force = 2 }, .523466)
local kinked = bm.potential.formula { "1 - abs(x)", L = 2 }
expect(theory.stratonovich { potential = kinked, D = .1, force = .7 },
       theory.stratonovich { potential = bm.potential.piecewise_linear {}, D = .1, force = .7 }, 1e-9)
expect(theory.lifson_jackson { potential = sine, D = 1 }, .623860)
local rate, left, right = theory.kramers { potential = sine, T = .1 }
expect(rate / (4 * math.pi * math.exp(-20)), 1)
expect(left / right, 1)
assert(theory.kramers { potential = sine, T = .1, mass = 1, gamma = 1 } < rate)
assert(select(2, theory.kramers { potential = bm.potential.double_well {}, T = .1, from = -1 }) == 0)
local heat = bm.noise.gaussian { D = .1 }
expect(theory.master { model = bm.overdamped { potential = kinked,
       noise = { bm.noise.poisson { D = 1, a = 2.5 }, heat } } }, .2782924)
local v, D_eff, v2 = theory.inertial { model = bm.underdamped { potential = sine, noise = bm.noise.gaussian { T = .5 },
                                                                force = 2 } }
expect(v, .7036730)
expect(D_eff, 5.018838, 1e-5)
assert(v2 > .5)

-- curves: over a sweep, with functions, and over the points of a result
local motor = bm.overdamped { potential = sine, noise = bm.noise.gaussian { D = function(p) return p.force / 10 end } }
local curve = theory.curve(motor, { { "force", { 1, 2, 4 } } })
assert(curve.points == 3 and #curve.velocity == 3 and curve.force[3] == 4)
expect(curve.velocity[2], (theory.stratonovich { potential = sine, D = .2, force = 2 }), 1e-12)
assert(theory.curve(motor, { "force", { 0.1 } }, "kramers").rate[1] > 0)

local r = bm.run { model = motor, sweep = { "force", { 4, 8 } }, paths = 4096, dt = 0.002, time = 10, transient = 0.2,
                   observe = { "velocity", "diffusion" } }
local again = theory.curve(motor, r, theory.stratonovich)
assert(r:compare() == r)
for i, name in ipairs { "theory", "z", "theory_diffusion", "z_diffusion" } do
  assert(r:columns()[i + 6] == name, name)
end
for i = 1, 2 do
  assert(r:column "theory"[i] == again.velocity[i] and r:column "theory_diffusion"[i] == again.diffusion[i])
  assert(r:column "z"[i] == (r:column "velocity"[i] - again.velocity[i]) / r:column "velocity_err"[i])
  assert(math.abs(r:column "z"[i]) < 5)
end
local s = bm.run { model = motor, sweep = { "force", { 4 } }, paths = 64, dt = 0.01, time = 10,
  observe = { "velocity", "diffusion" } }
s:compare(theory.stratonovich, { of = "diffusion" })
expect(s:column "theory"[1], again.diffusion[1], 1e-12)
local f = bm.run { model = motor, sweep = { "force", { 4 } }, paths = 64, dt = 0.01, time = 10 }
f:compare(function(p) return 2 * p.force end)
assert(f:column "theory"[1] == 8 and f:column "z"[1] < 0)

-- systems: the stationary law of linear motion
local function heat(name, D) return bm.noise.gaussian { name = name, D = D } end
local trap = bm.system { variables = { "x", "y" }, inertia = { x = { mass = 0.5, gamma = 0.3 } },
  equations = { x = "-2*x", y = "c*x - y" }, parameters = { c = 0.4 },
  noise = { x = bm.noise.gaussian { name = "bath", T = 0.7 }, y = heat("other", 0.2) }, force = { x = 1 } }
local law = theory.linear { model = trap }
expect(law.mean.x, 0.5, 1e-12)
expect(law.mean.y, 0.2, 1e-12)
expect(law.covariance.x.x, 0.35, 1e-12)
expect(law.covariance.v_x.v_x, 1.4, 1e-12)
assert(law.covariance.x.y == law.covariance.y.x and law.velocity.y == 0 and law.diffusion.x.y == 0)
expect(law.correlation(0, "x", "y"), law.covariance.x.y, 1e-12)
expect(law.correlation(0.3, "v_x"), law.correlation(-0.3, "v_x", "v_x"), 1e-12)
expect(law.correlation(0.3, "y", "x"), law.correlation(-0.3, "x", "y"), 1e-12)
local sum = 0
for i = 1, 20000 do sum = sum + law.spectrum((i - 0.5) / 2000, "x") / 2000 end
expect(sum, 0.35, 1e-4)
local sweep = theory.curve(trap, { "c", { 0, 0.4 } }, "linear")
assert(sweep.covariance_x_y[1] == 0 and sweep.covariance_x_y[2] == law.covariance.x.y and sweep.c[2] == 0.4)
expect(sweep.velocity_squared_x[1], 1.4, 1e-12)
local plain = theory.linear { model = bm.overdamped { noise = heat("heat", 0.3), force = 0.7 } }
assert(plain.velocity.x == 0.7 and plain.covariance.x.x ~= plain.covariance.x.x)
expect(plain.diffusion.x.x, 0.3, 1e-12)

-- two phases, and noise with an amplitude; every column of a system has its own name
local phases = bm.system { variables = { "x", "y" },
  potential = { x = bm.potential.sine { name = "a" }, y = bm.potential.sine { name = "b", V0 = 0.5 } },
  equations = { x = "k*sin(2*pi*(y - x))", y = "k*sin(2*pi*(x - y))" }, parameters = { k = 0 },
  noise = { x = heat("p", 0.5), y = heat("q", 0.3) }, force = { x = 2, y = 1 } }
local v_x, v_y = theory.torus { model = phases }
expect(v_x, .523466)
expect(v_y, (theory.stratonovich { potential = bm.potential.sine { V0 = 0.5 }, D = 0.3, force = 1 }), 1e-9)
local both = bm.run { model = phases, sweep = { "k", { 0, 0.8 } }, paths = 2048, dt = 0.002, time = 20,
                      observe = { "velocity", bm.observe.average { c = "cos(2*pi*x)" } } }
both:compare()
for _, name in ipairs { "x", "y" } do
  for i = 1, 2 do
    assert(both:column("theory_velocity_" .. name)[i] == theory.curve(phases, both, "torus")["velocity_" .. name][i])
    assert(math.abs(both:column("z_velocity_" .. name)[i]) < 5)
  end
end
assert(not table.concat(both:columns(), " "):find "theory ")
local landauer = bm.overdamped { potential = sine, interpretation = "ito", noise = bm.noise.gaussian { D = 0.5,
  amplitude = bm.formula { "sqrt(1 + a*cos(2*pi*x + phi))", a = 0.6, phi = 0.8 } } }
expect(theory.stratonovich { model = landauer }, .295598)
local one = bm.run { model = landauer, sweep = { "gaussian.amplitude.a", { 0, 0.6 } }, paths = 1024, dt = 0.0005,
                     time = 20 }
one:compare()
expect(one:column "theory"[2], .295598)
expect(theory.curve(landauer, one).velocity[2], .295598)
LUA
"$bmsim" script.lua || fail "exit status $?"

# Six states and little Gaussian noise: 10^5 parts of a period, in little memory. The number at D = 0.005 is that of a
# sparse elimination of all parts together.
cat >layers.lua <<'LUA'
local bm = require "bmsim"
local function velocity(D)
  return bm.theory.master { model = bm.overdamped {
    potential = bm.potential.piecewise_linear { L = 1, V0 = 0.6,
      x = { 0.068513292639031, 0.12412682469609, 0.30255053423257, 0.40644021500719, 0.51936365120601, 0.62543412429016,
            0.71625531739795, 0.8623966130046, 0.96061481749357 },
      V = { 0.18292600995997, 0.29199268077127, 0.31442682878786, 0.72570938743917, 0.9065828579043, 0.59440311724059,
            0.17979380915863, 0.27769637912405, 0.80087136188563 } },
    force = 0.2, noise = {
      bm.noise.gaussian { D = D }, bm.noise.three_state { F = 1.07821, q = 0.143284, nu = 3.28839 },
      bm.noise.dichotomous { Fa = 0.84261, Fb = 0.731241, tau = 0.813094, modulate = "potential" } } } }
end
assert(math.abs(velocity(0.005) - 0.044508725569199) < 1e-11)
assert(math.abs(velocity(3e-4) - velocity(2.9e-4)) < 5e-5)
LUA
(ulimit -v 4000000 && "$bmsim" layers.lua) || fail "theory.master of six states"

# Errors name the theory, the rule and what breaks it, at the script's line.
expect_error() {
  printf 'local bm = require "bmsim"\nlocal sine = bm.potential.sine {}\n%s\n' "$1" > wrong.lua
  "$bmsim" wrong.lua 2> stderr && fail "no error: $1"
  expect_text stderr "wrong.lua:3: $2"
}
run='bm.run { paths = 32, dt = 0.01, time = 1, model = bm.overdamped { potential = sine,'
expect_error 'bm.theory.stratonovich { potential = bm.potential.harmonic {}, D = 1 }' \
  "theory.stratonovich: the potential must be periodic, got potential.harmonic 'harmonic'"
expect_error 'bm.theory.stratonovich { potential = sine }' 'theory.stratonovich: D is missing'
expect_error 'bm.theory.stratonovich { potential = sine, D = 0 }' \
  'theory.stratonovich: D of the Gaussian noise must be > 0, got 0'
expect_error 'bm.theory.kramers { potential = sine, D = 1, T = 1 }' 'theory.kramers: give D or T, and not both'
expect_error 'bm.theory.kramers { potential = sine, T = 1, gamma = 2 }' \
  'theory.kramers: gamma must be 1 where there is no mass, got 2'
expect_error 'bm.theory.master {}' 'theory.master: model is missing'
expect_error 'bm.theory.curve(bm.overdamped {}, { "force", { 1 } }, "mster")' \
  "theory: unknown theory 'mster'; did you mean 'master'?"
expect_error "$run drive = bm.drive.cosine {} } }:compare()" "theory: no theory covers drive.cosine 'cosine'"
expect_error "$run noise = bm.noise.gaussian {} } }:compare(bm.theory.lifson_jackson)" \
  'result: compare: the theory gives diffusion, and the result has velocity'
expect_error "$run noise = bm.noise.gaussian {} } }:compare(nil, { of = 'diffusion' })" \
  "result: compare: of must name an observable that was observed and that the theory gives, got 'diffusion', "\
"which was not"
expect_error "$run noise = bm.noise.gaussian {} } }:compare(7)" \
  'result: compare: theory must be one of bm.theory, or its name, got number'
