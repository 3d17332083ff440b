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
LUA
"$bmsim" script.lua || fail "exit status $?"
