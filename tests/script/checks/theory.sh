# The exact currents have the values of the tables in the documentation, and do not overflow.
cat > script.lua <<'LUA'
local theory = require("bmsim").theory
local function expect(value, known) assert(math.abs(value - known) < 1e-6, value) end
for D, known in pairs { [0.3] = .163336, [1] = .363084, [3] = .395627, [1e-5] = 0, [1e9] = 0.4 } do
  expect(theory.poisson_velocity { D = D, a = 2.5 }, known)
end
expect(theory.poisson_velocity { D = 1, a = 1.5 }, .581987)
for tau, known in pairs { [.05] = -.044974, [.2] = -.248280, [1e-6] = 0 } do
  expect(theory.dichotomous_velocity { Fa = 3, Fb = 1.6, tau = tau }, known)
  expect(theory.dichotomous_velocity { Fa = 1.6, Fb = 3, tau = tau }, -known)
end
expect(theory.dichotomous_velocity { Fa = 3, Fb = 1.1, tau = 1 }, -.550060)
local function V(x) return math.sin(2 * math.pi * x) end
for _, known in ipairs { { 2 * math.pi, .5, 3.936561, .795241 }, { 2, .5, .523466, .239699 },
                         { 2 * math.pi, .1, 2.318202, .411130 }, { 0, .5, 0, .0962184 } } do
  local v, diffusion = theory.stratonovich { V = V, F = known[1], D = known[2] }
  expect(v, known[3])
  expect(diffusion, known[4])
  expect(theory.stationary_velocity { b = { 1 }, F = known[1], D = known[2] }, known[3])
end
local a = { 0.3, 0.1 } -- a shifted ratchet of another period, both ways
local function shifted(x) return 0.3 * math.cos(math.pi * x) + V(x / 2) + 0.1 * math.cos(2 * math.pi * x) end
local v = theory.stratonovich { V = shifted, F = -1, D = 0.4, L = 2 }
expect(theory.stationary_velocity { a = a, b = { 1 }, L = 2, F = -1, D = 0.4 }, v)
expect(theory.stationary_velocity { a = a, b = { 1 }, L = 2, F = -1, scale = math.sqrt(0.4), alpha = 2 }, v)
-- The master equation of docs/validation.md: dichotomous noise -3, 1.6 of tau = 0.2 with D = 0.1.
local states = { { probability = 1.6 / 4.6, force = -3 }, { probability = 3 / 4.6, force = 1.6 } }
local slow = theory.stationary_velocity { b = { 1 }, D = .1, nu = 5, states = states }
assert(math.abs(slow + 0.00071639) < 1e-8, slow)
-- Slow switching of the potential: the mean of its states.
states = { { probability = .3, potential = 0 }, { probability = .7 } }
expect(theory.stationary_velocity { b = { 1 }, F = 4, D = .5, nu = 1e-9, states = states },
       .3 * 4 + .7 * theory.stratonovich { V = V, F = 4, D = .5 })
for wrong, message in pairs { [{ D = 1, F = 1 }] = "V must be a function", [{ V = V, D = 0 }] = "D must be > 0" } do
  local ok, got = pcall(theory.stratonovich, wrong)
  assert(not ok and tostring(got):find(message, 1, true), got)
end
for wrong, message in pairs {
  [{ b = { 1 } }] = "D or scale must be > 0", [{ b = { 9 }, D = .1 }] = "modes must be more than 32",
  [{ scale = 1, alpha = 1 }] = "alpha must be > 1",
  [{ D = 1, nu = 1, states = { { probability = .5 } } }] = "probabilities must add up to 1",
} do
  local ok, got = pcall(theory.stationary_velocity, wrong)
  assert(not ok and tostring(got):find(message, 1, true), got)
end
LUA
"$bmsim" script.lua || fail "exit status $?"
