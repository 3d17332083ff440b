-- White noise, after Ito, whose amplitude is small in a short piece between two jumps. The law there is known: the time
-- that paths spend at a place is in proportion to 1/b^2, times Boltzmann's factor of the drift. Default steps are short
-- against the time in which noise crosses the piece, however narrow it is. Longer ones see next to nothing of it.
local bm = require "bmsim"

local function share(options)
  local w, inside, place = options.w, options.inside, options.place
  local r = bm.run {
    model = bm.overdamped {
      interpretation = "ito", walls = options.walls, potential = options.potential,
      noise = bm.noise.gaussian { D = options.D, amplitude = bm.formula { "if(abs(x - c) < w, b, 1)", c = place, w = w,
                                                                          b = inside } } },
    initial = { x = place }, time = options.time, transient = 0.3, paths = options.paths,
    observe = bm.observe.average { near = ("abs(x - %g) < %g"):format(place, w) } }
  return r:column "near"[1], r:column "near_err"[1], r:column "dt"[1], r
end
-- p, its error and the exact value
local function check(what, p, err, exact)
  assert(math.abs(p - exact) < 4 * err + 0.02 * exact, ("%s: %.4g(%.2g), exact %.4g"):format(what, p, err, exact))
end

-- a box: w/b^2 against the rest of its length
for w, paths in pairs { [0.1] = 256, [0.03] = 64 } do
  local p, err = share { w = w, inside = 0.1, place = 0.3137, D = 0.1, time = 60, paths = paths,
                         walls = { x = { "reflect", from = -1, to = 1 } } }
  check(("box, w = %g"):format(w), p, err, w / 0.01 / (w / 0.01 + 1 - w))
end

-- a trap: the integral of x/(D b^2), by the trapezoidal rule
local function in_trap(w, inside, place, D)
  local n, all, near, integral = 400000, 0, 0, 0
  for i = 1, n do
    local x = -6 + 12 * (i - 0.5) / n
    local square = math.abs(x - place) < w and inside^2 or 1
    integral = integral + x / (D * square) * 12 / n
    local density = math.exp(-integral) / square
    all = all + density
    if square < 1 then near = near + density end
  end
  return near / all
end
local p, err = share { w = 0.1, inside = 0.2, place = -0.7131, D = 0.5, time = 40, paths = 256,
                       potential = bm.potential.harmonic { k = 1 } }
check("trap", p, err, in_trap(0.1, 0.2, -0.7131, 0.5))

-- steps follow pieces that samples miss
local function step(w)
  local r = bm.run { model = bm.overdamped { interpretation = "ito", walls = { x = { "reflect", from = -1, to = 1 } },
                                             noise = bm.noise.gaussian { D = 0.1, amplitude = bm.formula {
                                               "if(abs(x - 0.3137) < w, 0.1, 1)", w = w } } },
                     initial = { x = 0.3137 }, time = 1e-9 / w, paths = 64, check_transient = false,
                     observe = "velocity" }
  return r:column "dt"[1]
end
for _, w in ipairs { 1e-3, 1e-5 } do
  assert(step(w) < 0.01 * (2 * w)^2 / 0.2, ("w = %g: dt = %g"):format(w, step(w)))
end
