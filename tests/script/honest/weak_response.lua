-- A response that is not there has no phase, and no amplitude but noise; an offset that is large adds nothing to one,
-- though the window was no whole number of periods.
local bm = require "bmsim"
local function respond(A)
  local r = bm.run {
    model = bm.overdamped { potential = bm.potential.formula { "k/2*(x - 100)^2", k = 1, name = "trap" },
                            noise = bm.noise.gaussian { D = 0.1 },
                            drive = bm.drive.cosine { amplitude = A, omega = 1 } },
    initial = { x = 100 }, time = 47, dt = 0.01, paths = 4096, precision = "double",
    observe = bm.observe.response { omega = "cosine.omega" },
  }
  return r:column "amplitude"[1], r:column "amplitude_err"[1], r:column "phase"[1], r:column "phase_err"[1],
         table.concat(r.info.warnings or {}, "\n")
end

local amplitude, err, phase, phase_err, text = respond(0)
assert(amplitude < 4 * err, ("%g +- %g"):format(amplitude, err))
assert(phase ~= phase and phase_err ~= phase_err, ("%g +- %g"):format(phase, phase_err))
assert(text:find("response: phase is nan where the amplitude is less than 3 standard errors", 1, true), text)
amplitude, err, phase, phase_err = respond(0.1)
assert(math.abs(amplitude - 0.1 / math.sqrt(2)) < 4 * err and err < 0.002, ("%g +- %g"):format(amplitude, err))
assert(math.abs(phase - math.pi / 4) < 4 * phase_err, ("%g +- %g"):format(phase, phase_err))
