-- Current reversal by three-state noise: dx/dt = -V'(x) + eta(t) + Gaussian noise, eta of the values -F, 0, F with the
-- probabilities q, 1 - 2 q, q, drawn anew at the rate nu, in V = [sin 2 pi x + (1/4) sin 4 pi x]/(2 pi). Slow noise is
-- an adiabatically rocked ratchet, v < 0. Faster noise reverses the current where the forces -F and F are rare (small
-- q, flatness 1/(2 q)); dichotomous noise (q = 1/2) does not. R. Mankin, A. Ainsaar, E. Reiter, Phys. Rev. E 60, 1374
-- (1999). Exact: the stationary master equation.
local bm = require "bmsim"
local V0, b, F, D = 1 / (2 * math.pi), 0.25, 3, 0.02

local particle = bm.overdamped {
  potential = bm.potential.ratchet { V0 = V0, b = b },
  noise = { bm.noise.three_state { F = F }, bm.noise.gaussian { D = D } },
}
local q = { "three_state.q", { 0.05, 0.2, 0.5 } }
local r = bm.run {
  model = particle,
  sweep = { q,
            { "three_state.nu", bm.logspace(1, 60, bm.args.points or 8) } },
  paths = bm.args.paths or bm.args.full and 65536 or 1024, time = bm.args.time or 1000,
  dt = bm.args.dt or bm.args.full and 0.005 or 0.01,
}

r:compare(bm.theory.master)
r:print { "three_state.q", "three_state.nu", "velocity", "velocity_err", "theory", "z" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  local fine = bm.theory.curve(particle, { q, { "three_state.nu", bm.logspace(1, 60, 40) } }, bm.theory.master)
  r:plot { x = "three_state.nu", y = "velocity", group = "three_state.q", theory = fine, log = "x",
    file = bm.args.plot }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
