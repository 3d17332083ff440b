-- The rocked ratchet: dx/dt = -V'(x) + square wave of height A and frequency omega + Gaussian noise of intensity D, V =
-- [sin 2 pi x + (1/4) sin 4 pi x]/(2 pi). Slowly rocked it has the adiabatic current [v(A) + v(-A)]/2, v(F) being
-- Stratonovich's; rocked faster than it moves from well to well, it has less. M. O. Magnasco, Phys. Rev. Lett. 71, 1477
-- (1993); R. Bartussek, P. Haenggi, J. G. Kissner, Europhys. Lett. 28, 459 (1994).
local bm = require "bmsim"
local teeth, D, slow = bm.potential.ratchet { V0 = 1 / (2 * math.pi), b = 0.25 }, 0.05, bm.args.full and 0.001 or 0.02

local r = bm.run {
  model = bm.overdamped {
    potential = teeth,
    noise = bm.noise.gaussian { D = D },
    drive = bm.drive.square {},
  },
  sweep = { { "square.omega", { slow, 4 } },
            { "square.amplitude", bm.linspace(0.25, 3, bm.args.points or 12) } },
  paths = bm.args.paths or bm.args.full and 65536 or 1024, dt = bm.args.full and 0.005 or 0.01,
  transient = 1 / 3, -- whole periods of the drive, before and after it
  time = function(p) return 6 * math.pi / p.square.omega * math.max(1, math.floor(p.square.omega / slow)) end,
}

local function v(F) return (bm.theory.stratonovich { potential = teeth, force = F, D = D }) end
local function adiabatic(A) return (v(A) + v(-A)) / 2 end
r:add("adiabatic", function(p) return adiabatic(p.square.amplitude) end)
r:add("z", function(p) return (p.velocity - p.adiabatic) / p.velocity_err end)
r:print { "square.omega", "square.amplitude", "velocity", "velocity_err", "adiabatic", "z" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  local A, current, omega = bm.linspace(0.25, 3, 100), {}, {}
  for i = 1, #A do current[i], omega[i] = adiabatic(A[i]), slow end
  r:plot { x = "square.amplitude", y = "velocity", group = "square.omega", file = bm.args.plot,
           theory = { ["square.amplitude"] = A, velocity = current, ["square.omega"] = omega } }
end

local largest = 0
for p in r:rows() do
  if p.square.omega == slow then largest = math.max(largest, math.abs(p.z)) end
end
print(("largest deviation of the slowly rocked ratchet: %.2f standard errors"):format(largest))
