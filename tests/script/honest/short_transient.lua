-- Rare kicks: the start lasts longer than the default transient, and half of the window shows it.
local bm = require "bmsim"
local motor = bm.overdamped { potential = bm.potential.piecewise_linear {},
  noise = bm.noise.poisson { D = 0.1, a = 2.5 } }
local r = bm.run { model = motor, periods = 300, paths = 2048 }
local exact = bm.theory.poisson_velocity { model = motor }
local off, err = r:column "velocity"[1] - exact, r:column "velocity_err"[1]
assert(off > 5 * err, "the start is not seen in this run")
local text = table.concat(r.info.warnings or {}, "\n")
assert(text:find("the start is still in the results: velocity = ", 1, true), text)
assert(text:find("give a longer transient", 1, true), text)
assert(r.info.transient_check:find("halves of the window differ most", 1, true), r.info.transient_check)

local quiet = bm.run { model = motor, periods = 300, paths = 2048, check_transient = false }
assert(quiet:column "velocity"[1] == r:column "velocity"[1] and quiet:column "velocity_err"[1] == err, "other bits")
assert(#(quiet.info.warnings or {}) == 0, table.concat(quiet.info.warnings or {}, "\n"))

-- A start beside a velocity that is large against its scatter: single precision would not tell it from rounding, but
-- double precision, which such a run takes, does.
for _, force in ipairs { 1e3, 1e5, 1e7 } do
  local model = bm.underdamped { force = force, noise = bm.noise.gaussian { T = 1 } }
  local function warned(time, transient)
    local pushed = bm.run { model = model, time = time, transient = transient, paths = 256, check_step = false }
    return table.concat(pushed.info.warnings, "; "):find("the start is still in the results", 1, true)
  end
  assert(warned(20, 0.1), ("no warning at the force %g"):format(force))
  assert(not warned(80, 0.6), ("a warning at the force %g"):format(force))
end
