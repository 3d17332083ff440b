-- A phase lag of nearly pi: single ensembles scatter over both ends of (-pi, pi], but their means and differences do
-- not.
local bm = require "bmsim"
local A, omega, gamma = 0.5, 20, 0.1
local exact = math.atan2(gamma * omega, 1 - omega ^ 2)
local function respond(options)
  options.model = bm.underdamped { gamma = gamma, potential = bm.potential.harmonic {},
                                   noise = bm.noise.gaussian { T = 0.2 },
                                   drive = bm.drive.cosine { amplitude = A, omega = omega } }
  options.observe, options.time = bm.observe.response { omega = "cosine.omega" }, 100
  return bm.run(options)
end
local function check(r, name, err)
  local value, error_of_it = r:column(name)[1], r:column(err)[1]
  local text = ("%s = %g +- %g, not %g"):format(name, value, error_of_it, exact)
  assert(value > -math.pi and value <= math.pi, text)
  local off = math.abs(value - exact)
  assert(math.min(off, 2 * math.pi - off) < 4 * error_of_it and error_of_it < 0.03, text)
end

local batches = respond { paths = 64, limit = 2048, target = { phase = { abs = 0.001 } } }
check(batches, "phase", "phase_err")
assert(not table.concat(batches.info.warnings or {}, "\n"):find "error of phase", "the check of the step")

for _, options in ipairs { { paths = 1024, step_error = true },
                           { paths = 512, limit = 4096, tolerance = { phase = { abs = 0.02 } } } } do
  local levels = respond(options)
  check(levels, "phase", "phase_err")
  check(levels, "phase_extrapolated", "phase_extrapolated_err")
  assert(math.abs(levels:column "phase_step"[1]) < 0.1, levels:column "phase_step"[1])
end

-- a theory that is in another turn, or at the other end
batches:compare(function() return exact - 2 * math.pi end, { of = "phase" })
assert(math.abs(batches:column "z"[1]) < 4, batches:column "z"[1])
