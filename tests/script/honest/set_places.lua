-- Averages of formulas that jump near the place to which events set paths: for half a step after each event paths count
-- at that place, however narrow the region is that the formula sees.
local bm = require "bmsim"

-- M. R. Evans, S. N. Majumdar, Phys. Rev. Lett. 106, 160601 (2011): reset at a rate r, a free path has the density
-- (k/2) exp(-k |x - x0|), k = sqrt(r/D).
local D, r, place = 0.5, 0.7, 0.2
for _, rate in ipairs { "r", "r*(1 + x^4/1e4)" } do  -- counted down to, and a hazard
  for _, w in ipairs { 0.1, 0.03 } do
    local model = bm.overdamped { noise = bm.noise.gaussian { D = D },
                                  potential = bm.potential.formula { "0*x" },
                                  events = { reset = { rate = rate, set = { x = "to" }, r = r, to = place } } }
    local run = bm.run { model = model, time = 40, transient = 0.5, paths = 4096, initial = { x = place },
                         observe = bm.observe.average { near = ("if(abs(x - 0.2) < %g, 1, 0)"):format(w),
                                                        above = "if(x > 0.201, 1, 0)" } }
    local function check(name, exact)
      local value, err = run:column(name)[1], run:column(name .. "_err")[1]
      assert(math.abs(value - exact) < 0.015 * exact + 3 * err and err < 0.01 * exact,
             ("%s, %s, w = %g: %.4g(%.2g), exact %.4g"):format(rate, name, w, value, err, exact))
    end
    local k = math.sqrt(r / D)
    check("near", 1 - math.exp(-k * w))
    check("above", math.exp(-k * 0.001) / 2)
  end
end
