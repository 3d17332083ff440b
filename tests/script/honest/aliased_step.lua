-- A period of the potential in every step: the particle sees the same place again and again.
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.5 }, force = 1000 }
local r = bm.run { model = model, dt = 0.001, time = 2, paths = 256, observe = "diffusion" }
assert(r:column "step_warning"[1] == 1)
assert(r.info.warnings[1]:find("the time to pass the smallest structure of V", 1, true), r.info.warnings[1])
r = bm.run { model = model, time = 2, observe = "diffusion" }
local D, err = r:column "diffusion"[1], r:column "diffusion_err"[1]
assert(math.abs(D - 0.5) < 4 * err and err < 0.05, ("%g +- %g, exact 0.5"):format(D, err))
