-- The tilted sine, dx/dt = -V'(x) + F + Gaussian noise of intensity D, V = sin 2 pi x: current and effective diffusion
-- against F, exact by quadrature (Stratonovich 1958; P. Reimann et al., Phys. Rev. Lett. 87, 010602, 2001). D_eff has
-- its giant maximum near the critical tilt F = 2 pi V0/L, where the barriers vanish. The same V four times: as sine,
-- Fourier series, table of 32 values (a spline), and formula; all must lie on one curve.
local bm = require "bmsim"
local D = bm.args.D or 0.1
local V = function(x) return math.sin(2 * math.pi * x) end
local values = {}
for i = 1, 32 do values[i] = V((i - 1) / 32) end

local same = {
  { "sine", bm.potential.sine {} },
  { "fourier", bm.potential.fourier { b = { 1 } } },
  { "table", bm.potential.table { V = values } },
  { "formula", bm.potential.formula { "V0*sin(2*pi*x/L)", V0 = 1, L = 1 } },
}
local r, largest = nil, 0
for seed, pair in ipairs(same) do
  local name, potential = pair[1], pair[2]
  local one = bm.run {
    model = bm.overdamped { potential = potential, noise = bm.noise.gaussian { D = D } },
    sweep = { "force", bm.linspace(2, 11, bm.args.points or 10) }, observe = { "velocity", "diffusion" },
    paths = bm.args.paths or bm.args.full and 65536 or 2048, time = bm.args.time or 40,
    dt = bm.args.full and 0.0005 or 0.001, seed = seed,
  }
  if not r then
    r = one
    r:add("exact_v", function(p) return (bm.theory.stratonovich { potential = potential, force = p.force, D = D }) end)
    r:add("exact_D", function(p)
      return (select(2, bm.theory.stratonovich { potential = potential, force = p.force, D = D }))
    end)
  end
  for column, exact in pairs { velocity = "exact_v", diffusion = "exact_D" } do
    local value, err, known = one:column(column), one:column(column .. "_err"), r:column(exact)
    for i = 1, r.points do largest = math.max(largest, math.abs(value[i] - known[i]) / err[i]) end
    local short = name .. (column == "velocity" and "_v" or "_D")
    if one ~= r then r:add(short, value):add(short .. "_err", err) end
  end
end
r:print()
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  local fine = bm.theory.curve(bm.overdamped { potential = same[1][2], noise = bm.noise.gaussian { D = D } },
    { "force", bm.linspace(2, 11, 200) }, bm.theory.stratonovich)
  r:plot { x = "force", y = { "diffusion", "fourier_D", "table_D", "formula_D" },
           titles = { "sine", "fourier", "table", "formula" },
           theory = fine, ylabel = "{/:Italic D}_{eff}", file = bm.args.plot }
end
print(("largest deviation: %.2f standard errors"):format(largest))
