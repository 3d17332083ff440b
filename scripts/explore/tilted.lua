-- A particle in a tilted sine potential: its velocity and its diffusion against the force, simulated and exact. Near
-- the force at which the barriers vanish it spreads much faster than without a potential (P. Reimann et al., Phys. Rev.
-- Lett. 87, 010602, 2001).
-- bmsim explore tilted.lua
local bm = require "bmsim"

local T = bm.slider("T", { 0.02, 2, value = 0.2, log = true })
local V0 = bm.slider("V0", { 0.1, 2, value = 1 })
local force = bm.slider("force", { 0, 12, value = 5, label = "f of the particles shown" })

local function particle(f)
  return bm.overdamped { potential = bm.potential.sine { V0 = V0 }, noise = bm.noise.gaussian { T = T }, force = f }
end

bm.show(particle(force))
local r = bm.run {
  model = particle(0), sweep = { "force", bm.linspace(0, 12, bm.args.points or 25) },
  paths = bm.args.paths or 4096, time = 40, transient = 0.2, dt = 0.002, observe = { "velocity", "diffusion" },
}
r:compare(bm.theory.stratonovich)
r:plot { x = "force", y = "velocity", theory = "theory", file = "tilted_velocity.svg" }
r:plot { x = "force", y = "diffusion", theory = "theory_diffusion", file = "tilted_diffusion.svg" }
