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
