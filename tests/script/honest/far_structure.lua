-- Formulas that are flat where paths begin, and not elsewhere: no period is read from that. Positions of free paths are
-- those of the line, in averages, forces, amplitudes, rates of events and mean fields.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian
local function check(what, value, err, exact, part)
  assert(math.abs(value - exact) < part * math.abs(exact) + 4 * err and err < 0.1 * math.abs(exact) + part,
         ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
end
local function column(what, r, name, exact, part)
  check(what, r:column(name)[1], r:column(name .. "_err")[1], exact, part)
end

-- The mean time that a free path spends at x, the integral of exp(-x^2/2t)/sqrt(2 pi t) over the run.
local function density(x, time)
  local n, sum = 2000, 0
  for i = 1, n do  -- t = s^2
    local s = (i - 0.5) / n * math.sqrt(time)
    sum = sum + 2 * math.exp(-x * x / (2 * s * s)) / math.sqrt(2 * math.pi) * math.sqrt(time) / n
  end
  return sum
end
local free = { bm.overdamped { noise = gaussian { D = 0.5 } },
               bm.system { variables = { "x" }, noise = { x = gaussian { D = 0.5 } } } }
for _, model in ipairs(free) do
  local r = bm.run { model = model, time = 4, dt = 0.004, transient = 0, paths = 4096, initial = { x = 0 },
                     check_transient = false, check_step = false,
                     observe = bm.observe.average { far = "if(abs(x - 3) < 0.2, 1, 0)",
                                                    narrow = "abs(x - 0.1) < 0.02" } }
  column("far", r, "far", 0.4 * density(3, 4) / 4, 0.01)
  column("narrow", r, "narrow", 0.04 * density(0.1, 4) / 4, 0.01)
end

-- A force that begins at 5 holds what drifts there: <x> - 5, from Boltzmann's law of x/2 - x + (x - 5)^2.
local held = bm.system { variables = { "x" }, equations = { x = "1 - 2*max(x - 5, 0)" },
                         noise = { x = gaussian { D = 0.5 } } }
local r = bm.run { model = held, time = 30, transient = 0.7, paths = 1024, initial = { x = 0 },
                   observe = { "velocity", bm.observe.average { x = "x" } } }
local weight, mean = 0, 0
for i = 1, 20000 do
  local x = -10 + i * 1e-3
  local w = math.exp((x - math.max(x - 5, 0) ^ 2) / 0.5)
  weight, mean = weight + w, mean + w * x
end
column("held", r, "x", mean / weight, 0.01)
assert(math.abs(r:column "velocity_x"[1]) < 0.02, "held: it moves")

-- Resetting from beyond 3, in a flow of velocity 1: once in 3 + 1/rate.
for _, sine in ipairs { false, true } do
  local model = bm.overdamped { force = 1, noise = gaussian { D = 0.01 },
                                potential = sine and bm.potential.sine { V0 = 1e-3 } or nil,
                                events = { back = { rate = "10*(x > 3)", set = { x = "0" } } } }
  r = bm.run { model = model, time = 62, transient = 0.5, paths = 256, dt = 0.01, initial = { x = 0 },
               check_step = false, observe = "events" }
  column("resetting", r, "back_rate", 1 / 3.1, 0.02)
end

-- Paths that stop when all have come to 2.
local crowd = bm.system { variables = { "x" }, fields = { c = "x > 2" }, equations = { x = "1 - c" } }
r = bm.run { model = crowd, time = 10, dt = 0.01, transient = 0, paths = 64, replicas = 12, initial = { x = 0 },
             check_step = false, observe = "velocity" }
assert(math.abs(r:column "velocity_x"[1] * 10 - 2) < 0.05, "crowd: " .. r:column "velocity_x"[1])
