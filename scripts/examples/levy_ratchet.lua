-- A ratchet driven by symmetric Levy noise, dx/dt = -V'(x) + scale L'(t), <exp(i k dL)> = exp(-|k|^alpha dt), with V =
-- [sin 2 pi x + (1/4) sin 4 pi x]/(2 pi): flights cause a current although the means of noise and force are zero. At
-- alpha = 2, equilibrium, there is none. D. del-Castillo-Negrete, V. Gonchar, A. Chechkin, Physica A 387, 6693 (2008).
-- Exact: the stationary fractional Fokker-Planck equation. Variances do not exist for alpha < 2: the standard error is
-- dominated by the longest flight so far, and falls slowly, as paths^(1/alpha - 1).
local bm = require "bmsim"
local V0, b, scale = 1 / (2 * math.pi), 0.25, 0.2

local particle = bm.overdamped {
  potential = bm.potential.ratchet { V0 = V0, b = b },
  noise = bm.noise.levy { scale = scale },
}
local r = bm.run {
  model = particle,
  sweep = { "levy.alpha", bm.linspace(1.4, 2, bm.args.points or 7) },
  paths = bm.args.paths or bm.args.full and 65536 or 2048, time = bm.args.time or 1000, dt = bm.args.dt or 0.01,
}

r:compare(bm.theory.master)
r:print { "levy.alpha", "velocity", "velocity_err", "theory", "z" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "levy.alpha", y = "velocity", file = bm.args.plot,
           theory = bm.theory.curve(particle, { "levy.alpha", bm.linspace(1.4, 2, 31) }, bm.theory.master) }
end

local largest = 0
for p in r:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
