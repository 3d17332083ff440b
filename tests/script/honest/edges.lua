-- Drives that jump between two steps: the force of a step is its mean over it, so that the impulse of a period is
-- exact.
local bm = require "bmsim"
local square = bm.drive.square { amplitude = 10, duty = 0.30125 }
local pulse = bm.drive.pulse { amplitude = 100, width = 0.0123, period = 1 }
for _, case in ipairs { { square, -3.975 }, { pulse, 1.23 } } do
  for _, spp in ipairs { false, 37 } do
    for _, family in ipairs { bm.overdamped, bm.underdamped } do
      local r = bm.run { model = family { drive = case[1] }, spp = spp or nil, periods = 100, transient = 0.5,
        paths = 64 }
      for p in r:rows() do
        print(p.velocity, p.velocity_err, case[2])
        assert(math.abs(p.velocity - case[2]) < 1e-4)
      end
    end
  end
end

-- Their work in a trap: <x> relaxes to the force F1 or F2 of the time, in parts a and b of the period.
local function work_of(F1, F2, a, b)
  local low = (F2 + (F1 - F1 * math.exp(-a) - F2) * math.exp(-b)) / (1 - math.exp(-a - b))
  return (F1 - F2) * (F1 - low) * (1 - math.exp(-a))
end
local noise, trap = bm.noise.gaussian { D = 0.001 }, bm.potential.harmonic {}
local function works(what, drive, period, exact)
  local r = bm.run { model = bm.overdamped { potential = trap, noise = noise, drive = drive },
                     time = 20 * period, transient = 0.5, paths = 1024, observe = { "work", "heat" } }
  for _, name in ipairs { "work", "heat" } do
    local value, err = r:column(name)[1] / 10, r:column(name .. "_err")[1] / 10
    assert(math.abs(value - exact) < 0.003 * exact + 4 * err and err < 0.002 * exact,
           ("%s, %s of a period: %.5g(%.2g), exact %.5g"):format(what, name, value, err, exact))
  end
end
works("square", bm.drive.square { amplitude = 1, omega = math.pi, duty = 0.2 }, 2, work_of(1, -1, 0.4, 1.6))
works("pulse", bm.drive.pulse { amplitude = 3, width = 0.1, period = 4 }, 4, work_of(3, 0, 0.1, 3.9))
works("formula", bm.drive.formula { "2*sign(sin(omega*t))", omega = math.pi }, 2, work_of(2, -2, 1, 1))
