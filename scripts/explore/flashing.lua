-- The flashing ratchet: a sawtooth that is switched on and off at the rate mu drives a current, though no force acts
-- but its own, whose mean is zero. A. Ajdari, J. Prost, C. R. Acad. Sci. II 315, 1635 (1992).
-- bmsim explore flashing.lua
local bm = require "bmsim"

local V0 = bm.slider("V0", { 0.2, 5, value = 2 })
local b = bm.slider("b", { -0.5, 0.5, value = 0.25, label = "b" })
local D = bm.slider("D", { 0.02, 1, value = 0.2, log = true })

local particle = bm.overdamped {
  potential = bm.potential.ratchet { V0 = V0, b = b },
  noise = {
    bm.noise.dichotomous { name = "switch", modulate = "potential", Fa = 1, Fb = 0, mu_a = 1,
                           mu_b = function(p) return p.switch.mu_a end },
    bm.noise.gaussian { D = D },
  },
}
bm.show(particle)
local r = bm.run {
  model = particle, sweep = { "switch.mu_a", bm.logspace(0.3, 300, bm.args.points or 10) },
  paths = bm.args.paths or 4096, time = 50, dt = 0.002,
}
r:compare(bm.theory.master)
r:plot { x = "switch.mu_a", y = "velocity", theory = "theory", log = "x", file = "flashing.svg",
         xlabel = "switching rate {/:Italic μ}" }
