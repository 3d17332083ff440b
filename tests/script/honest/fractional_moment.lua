-- The law of a displacement over one step: five-point increments have its moments, and not its shape.
local bm = require "bmsim"
local D, q = 0.7, 0.5
local r = bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian { D = D } }, paths = 16384, dt = 0.02, time = 40,
  observe = bm.observe.fractional_moment { q = q },
}
assert(r.info.increments == "gaussian", "the law of a step needs gaussian increments, got " .. r.info.increments)
local t, m, e = r:array("fractional_moment_time").values[1], r:array("fractional_moment").values[1],
                r:array("fractional_moment_err").values[1]
local exact = (4 * D * t[1]) ^ (q / 2) * 1.2254167024651776 / math.sqrt(math.pi)  -- Gamma(3/4)
assert(math.abs(m[1] - exact) < 4 * e[1], ("%g +- %g, exact %g"):format(m[1], e[1], exact))
local nu, err = r:column("growth_exponent")[1], r:column("growth_exponent_err")[1]
assert(math.abs(nu - 0.5) < 4 * err, ("growth exponent %g +- %g"):format(nu, err))
