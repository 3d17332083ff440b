-- Stochastic resonance: a weak drive rocks a double well, and noise lets particles hop in time with it. The response at
-- the frequency of the drive has a maximum over the intensity of the noise. P. Jung, P. Haenggi, Phys. Rev. A 44, 8032
-- (1991); L. Gammaitoni et al., Rev. Mod. Phys. 70, 223 (1998).
-- bmsim explore resonance.lua
local bm = require "bmsim"

local A = bm.slider("A", { 0.01, 0.3, value = 0.1 })
local omega = bm.slider("omega", { 0.02, 1, value = 0.1, log = true })
local D = bm.slider("D", { 0.03, 1, value = 0.15, log = true, label = "D of the particles shown" })

local function particle(intensity)
  return bm.overdamped {
    potential = bm.potential.double_well {},
    drive = bm.drive.cosine { amplitude = A, omega = omega },
    noise = bm.noise.gaussian { D = intensity },
  }
end
local period = 2 * math.pi / omega

bm.show(particle(D), { time = 3 * period, range = { -2, 2 } })
local r = bm.run {
  model = particle(0.1), sweep = { "gaussian.D", bm.logspace(0.03, 1, bm.args.points or 12) },
  initial = { x = { mean = 0, sd = 1 } },
  paths = bm.args.paths or 2048, time = 6 * period, transient = 1 / 3, dt = 0.02,
  observe = { bm.observe.response { omega = "cosine.omega" }, bm.observe.density { range = { -2, 2 }, bins = 60 } },
}
r:plot { x = "gaussian.D", y = "amplitude", log = "x", file = "resonance.svg" }
r:plot { array = "density", group = "gaussian.D", file = "resonance_density.svg" }
