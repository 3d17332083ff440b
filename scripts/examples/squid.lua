-- A dc SQUID as a ratchet: two Josephson junctions with the phases x and y, of different critical currents, in a
-- superconducting loop of inductance 1/k with the flux Phi (in quanta), under an alternating current,
--   m x'' + x' = -(1 + a) sin x + k (y - x - 2 pi Phi) + A cos(omega t) + thermal noise,
--   m y'' + y' = -(1 - a) sin y - k (y - x - 2 pi Phi) + A cos(omega t) + thermal noise.
-- For Phi = 0 and 1/2 it is symmetric; in between it rectifies the current into a voltage <x'> = <y'>. Owing to the
-- inertia, which is the capacitance m, the voltage changes its sign when the current grows by a fifth. Exactly, v(-Phi)
-- = -v(Phi). On dc SQUIDs as ratchets: S. Weiss et al., Europhys. Lett. 51, 499 (2000).
local bm = require "bmsim"
local pi, m, a, k, T, omega = math.pi, 4, 0.5, 0.3, 0.05, 0.4

local function junction(name, current) -- V = -current*cos(x)
  return bm.potential.sine { V0 = current, L = 2 * pi, phase = -pi / 2, name = name }
end
local function heat(name) return bm.noise.gaussian { T = T, name = name } end
local r = bm.run {
  model = bm.system {
    variables = { "x", "y" },
    inertia = { x = { mass = m }, y = { mass = m } },
    potential = { x = junction("left", 1 + a), y = junction("right", 1 - a),
                  bm.potential.formula { "k/2*(y - x - 2*pi*Phi)^2", k = k, Phi = 0, name = "loop" } },
    noise = { x = heat "heat_x", y = heat "heat_y" },
    equations = { x = "A*cos(omega*t)", y = "A*cos(omega*t)" }, parameters = { A = 1, omega = omega },
  },
  sweep = { { "loop.Phi", { -0.25, 0, 0.25 } },
            { "A", bm.linspace(1.95, 3, bm.args.points or bm.args.full and 85 or 22) } },
  initial = { x = 0, y = 0 },
  paths = bm.args.paths or bm.args.full and 16384 or 1024, time = 75 * 2 * pi / omega, transient = 1 / 5,
  dt = bm.args.full and 0.02 or 0.05,
}
r:print { "loop.Phi", "A", "velocity_x", "velocity_x_err", "velocity_y" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "A", y = "velocity_x", group = "loop.Phi", lines = true, xlabel = "{/:Italic A}",
           ylabel = "voltage ⟨{/:Italic x'}⟩", file = bm.args.plot }
end

local v, err, largest = r:column "velocity_x", r:column "velocity_x_err", 0
local points = #v / 3
for i = 1, points do
  local opposite, zero = math.sqrt(err[i] ^ 2 + err[2 * points + i] ^ 2), err[points + i]
  largest = math.max(largest, math.abs(v[i] + v[2 * points + i]) / opposite, math.abs(v[points + i]) / zero)
end
print(("largest deviation from the symmetry: %.2f standard errors"):format(largest))
