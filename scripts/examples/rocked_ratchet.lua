-- The rocked ratchet: dx/dt = -V'(x) + square wave of height A and frequency omega + Gaussian noise of intensity D, V =
-- [sin 2 pi x + (1/4) sin 4 pi x]/(2 pi). Slowly rocked it has the adiabatic current [v(A) + v(-A)]/2, v(F) being
-- Stratonovich's; rocked faster than it moves from well to well, it has less. M. O. Magnasco, Phys. Rev. Lett. 71, 1477
-- (1993); R. Bartussek, P. Haenggi, J. G. Kissner, Europhys. Lett. 28, 459 (1994).
local bm = require "bmsim"
local teeth, D, slow = bm.potential.ratchet { V0 = 1 / (2 * math.pi), b = 0.25 }, 0.05, 0.02

local r = bm.run {
  model = bm.overdamped {
    potential = teeth,
    noise = bm.noise.gaussian { D = D },
    drive = bm.drive.square {},
  },
  sweep = { { "square.omega", { slow, 4 } },
            { "square.amplitude", bm.linspace(0.25, 3, bm.args.points or 12) } },
  paths = bm.args.paths or 1024, dt = 0.01, transient = 1 / 3, -- whole periods of the drive, before and after it
  time = function(p) return 6 * math.pi / p.square.omega * math.max(1, math.floor(p.square.omega / slow)) end,
}

r:add("adiabatic", function(p)
  local function v(F) return (bm.theory.stratonovich { potential = teeth, force = F, D = D }) end
  return (v(p.square.amplitude) + v(-p.square.amplitude)) / 2
end)
r:add("z", function(p) return (p.velocity - p.adiabatic) / p.velocity_err end)
r:print { "square.omega", "square.amplitude", "velocity", "velocity_err", "adiabatic", "z" }
if bm.args.output then r:write(bm.args.output) end

local largest = 0
for p in r:rows() do
  if p.square.omega == slow then largest = math.max(largest, math.abs(p.z)) end
end
print(("largest deviation of the slowly rocked ratchet: %.2f standard errors"):format(largest))
