-- A slow drive of no amplitude says nothing about the step that the potential needs.
local bm = require "bmsim"
local r = bm.run {
  model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.1 }, force = 3,
                          drive = bm.drive.cosine { amplitude = 0, omega = 0.1 } },
  periods = 20, paths = 512,
}
local exact = bm.theory.stratonovich { model = bm.overdamped {
  potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.1 }, force = 3 } }
local v, err = r:column "velocity"[1], r:column "velocity_err"[1]
assert(math.abs(v - exact) < 4 * err and err < 0.05 * exact, ("%g +- %g, exact %g"):format(v, err, exact))
assert(#r.info.warnings == 0 and r.info.why_step, "the step is chosen by the motion, without a warning")
