-- Voltage noise of a resistively shunted Josephson junction under a bias current: dphi/dt = -V'(phi) + F + thermal
-- noise of intensity D, V = sin 2 pi phi, phi being the phase in turns and dphi/dt the voltage. Above the critical bias
-- F = 2 pi the spectrum has the Josephson line at f = <v>, which noise broadens; at f -> 0 it is that of diffusion,
-- S(0) = 4 D_eff (one-sided), with D_eff known exactly (P. Reimann et al., Phys. Rev. Lett. 87, 010602, 2001; K. K.
-- Likharev, V. K. Semenov, JETP Lett. 15, 442, 1972).
local bm = require "bmsim"
local D, junction = 0.03, bm.potential.sine {}
local samples, step, segments = 1024, 0.02, 8
local paths = bm.args.paths or bm.args.full and 32768 or 2048

local r = bm.run {
  model = bm.overdamped { potential = junction, noise = bm.noise.gaussian { D = D } },
  sweep = { "force", bm.linspace(6, 12, bm.args.points or 4) }, paths = paths,
  time = 1.1 * samples * step * (segments + 1) / 2, dt = 0.002, transient = 0.08,
  observe = { "velocity", bm.observe.spectrum { samples = samples, step = step, segments = segments, paths = paths } },
}
r:add("exact_v", function(p) return (bm.theory.stratonovich { potential = junction, force = p.force, D = D }) end)
r:add("four_D_eff", function(p)
  return 4 * select(2, bm.theory.stratonovich { potential = junction, force = p.force, D = D })
end)

local S, err, f = r:array("spectrum").values, r:array("spectrum_err").values, r:array("spectrum").dims[1].values
local limit, limit_err, line, largest = {}, {}, {}, 0
for i, exact in ipairs(r:column "four_D_eff") do
  limit[i], limit_err[i] = S[i][2], err[i][2]  -- the lowest frequency above 0
  local peak = 2
  for k = 3, #f do if S[i][k] > S[i][peak] then peak = k end end
  line[i] = f[peak]
  largest = math.max(largest, math.abs(limit[i] - exact) / limit_err[i])
end
r:add("S_0", limit):add("S_0_err", limit_err):add("line", line)
r:print { "force", "velocity", "exact_v", "line", "S_0", "S_0_err", "four_D_eff" }
if bm.args.output then r:write(bm.args.output, "spectrum") end
if bm.args.plot then
  r:plot { array = "spectrum", log = "xy", theory = function(p) return p.four_D_eff end, file = bm.args.plot }
end
print(("largest deviation: %.2f standard errors"):format(largest))
