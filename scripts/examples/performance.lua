-- Figs. 4 and 5 of Spiechowicz, Kostur, Machura: time and speed, steps per second, of the programs `poisson` (Model I)
-- and `dich` (Model II) against the number of particles N, in single and in double precision, on the device that runs
-- this.
-- Expected: the time does not depend on N until the whole device is busy, the speed grows with N until then; double
-- precision is slower. The paper's third panel divides by the time of its CPU program: docs/benchmarks.md.
-- A picture: -D plot=FILE.svg (the speed); the paper's 2^5 to 2^17 particles for 1000 time scales: -D full=1.
local bm = require "bmsim"
local full = bm.args.full

local function model(noise) return bm.overdamped { potential = bm.potential.piecewise_linear {}, noise = noise } end
local models = {
  { "I", model(bm.noise.poisson { D = 1, a = 2.5 }), 400 },
  { "II", model(bm.noise.dichotomous { Fa = 3, Fb = 1.6, tau = 0.2 }), 200 },
}
local columns, y, titles = { N = {} }, {}, {}
for k = 5, bm.args.most or full and 17 or 13 do columns.N[#columns.N + 1] = 2 ^ k end

print "model  precision        N   seconds   10^9 steps/s"
for _, one in ipairs(models) do
  for _, precision in ipairs { "single", "double" } do
    local name = one[1] .. ", " .. precision
    columns[name], y[#y + 1], titles[#titles + 1] = {}, name, "Model " .. name
    for i, N in ipairs(columns.N) do
      local info
      for _ = 1, 2 do -- the first one may compile the kernel
        info = bm.run { model = one[2], paths = N, precision = precision, spp = one[3],
                        periods = bm.args.periods or full and 1000 or 400 }.info
      end
      columns[name][i] = info.steps_per_second / 1e9
      print(("%-5s  %-9s  %7d  %8.4f  %13.3f"):format(one[1], precision, N, info.seconds, columns[name][i]))
    end
  end
end
if bm.args.plot then
  bm.plot(columns, { x = "N", y = y, titles = titles, log = "xy", ylabel = "10^9 steps per second",
    file = bm.args.plot })
end
