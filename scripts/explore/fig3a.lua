-- Fig. 3a of Spiechowicz, Kostur, Machura with sliders: the current of a Brownian motor driven by white Poissonian
-- noise, against the intensity D_P of the noise, simulated and exact. Thermal noise of intensity D_G weakens it.
-- bmsim explore fig3a.lua
local bm = require "bmsim"

local a = bm.slider("a", { 0.5, 4, value = 1.5, label = "a" })
local thermal = bm.toggle("thermal", { label = "thermal noise" })
local D_G = bm.slider("D_G", { 0.01, 1, value = 0.1, log = true })
local D_P = bm.slider("D_P", { 0.1, 10, value = 1, log = true, label = "D_P of the particles shown" })

local function motor(D)
  local noise = { bm.noise.poisson { D = D, a = a } }
  if thermal then noise[2] = bm.noise.gaussian { D = D_G } end
  return bm.overdamped { potential = bm.potential.piecewise_linear {}, noise = noise }
end

bm.show(motor(D_P))
local r = bm.run {
  model = motor(1),
  sweep = { "poisson.D", bm.logspace(0.1, 10, bm.args.points or 20) },
  paths = bm.args.paths or 16384, periods = 1000, transient = 0.1,
}
r:compare()
r:plot { x = "poisson.D", y = "velocity", theory = "theory", log = "x", file = "fig3a_explored.svg",
         theory_titles = { "exact" } }
