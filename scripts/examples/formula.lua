-- A potential and a drive as formulas: the current of a SQUID ratchet in the plane of two phases. The phase x of an
-- asymmetric SQUID moves as M x'' + x' = -V'(x) + a cos(omega t) + (a/2) cos(2 omega t + theta) + thermal noise in V =
-- -sin x - (j/2) sin(2 x + phi), phi being set by the magnetic flux (I. Zapata et al., Phys. Rev. Lett. 77, 2292, 1996;
-- J. Spiechowicz, J. Luczka, Phys. Rev. E 91, 062104, 2015). Potential and drive both break the symmetry of left and
-- right. Mirrored, x -> pi - x, and half a period of the drive later the equation is that of pi - phi and theta + pi:
-- there the current is the opposite.
local bm = require "bmsim"
local pi, full = math.pi, bm.args.full
local columns, rows = bm.args.points or full and 24 or 12, bm.args.rows or full and 24 or 8
if columns % 2 + rows % 2 > 0 then error("points and rows must be even: currents are compared in pairs", 0) end

local squid = bm.underdamped {
  mass = 6, gamma = 1,
  potential = bm.potential.formula { "-sin(2*pi*x/L) - j/2*sin(4*pi*x/L + phi)", L = 2 * pi, j = 0.5, phi = 0 },
  drive = bm.drive.formula { "a*cos(omega*t) + a/2*cos(2*omega*t + theta)", name = "current",
                             a = 1.5, omega = 0.3, theta = 0 },
  noise = bm.noise.gaussian { T = 0.05 },
}

local function turn(n) return bm.linspace(-pi, pi * (1 - 2 / n), n) end -- pi itself is -pi again
local r = bm.run {
  model = squid,
  sweep = { { "formula.phi", turn(columns) }, { "current.theta", turn(rows) } },
  initial = { phase = "uniform" },
  paths = bm.args.paths or full and 8192 or 512, time = bm.args.time or 2000, dt = 0.05,
}
r:print { "formula.phi", "current.theta", "velocity", "velocity_err" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "formula.phi", y = "current.theta", z = "velocity", file = bm.args.plot }
end

local v, err, largest = r:column "velocity", r:column "velocity_err", 0
for i = 0, columns - 1 do
  for j = 0, rows - 1 do
    local here, there = i * rows + j + 1, (columns / 2 - i) % columns * rows + (j + rows / 2) % rows + 1
    largest = math.max(largest, math.abs(v[here] + v[there]) / math.sqrt(err[here] ^ 2 + err[there] ^ 2))
  end
end
print(("largest deviation from the symmetry: %.2f standard errors"):format(largest))
