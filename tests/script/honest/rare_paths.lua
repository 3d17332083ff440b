-- Averages of exp(-W/T) that few paths carry: they came out far too low, with a small scatter. A trap is dragged at
-- velocity u, and the average is 1.
local bm = require "bmsim"
local function drag(u, paths)
  local r = bm.run {
    model = bm.overdamped { potential = bm.potential.formula { "(x - u*t)^2/2", u = u, name = "trap" },
                            noise = bm.noise.gaussian { T = 1 } },
    initial = { x = { mean = 0, sd = 1 } }, transient = 0, time = 2, dt = 0.02, paths = paths, check_step = false,
    observe = bm.observe.integral { W = "-trap.u*(x - trap.u*t)", exponential = "-1/gaussian.T" },
  }
  local text = table.concat(r.info.warnings or {}, "\n")
  return r:column "W_exponential"[1], r:column "W_exponential_err"[1], text, r:column "W_free_energy"[1]
end

local average, err, text = drag(0.5, 4096)
assert(math.abs(average - 1) < 4 * err and err < 0.02 and text == "", ("%g +- %g: %s"):format(average, err, text))
average, err, text = drag(1.5, 4096)                       -- W/T has the variance 5: 10^5 times as many paths would do
assert(average == average and err ~= err, ("%g +- %g"):format(average, err))
assert(text:find("integral: the standard error of W_exponential is nan: few paths carry", 1, true), text)
local free
average, err, text, free = drag(8, 4096)                   -- one path has most of the weight
assert(average ~= average and err ~= err and free ~= free, ("%g +- %g, %g"):format(average, err, free))
assert(text:find("integral: nan: W_exponential; one path has half of the weight", 1, true), text)
