-- Van der Pol's oscillator in noise, x'' = mu (1 - x^2) x' - x + sqrt(2 D) xi: the plane of (x, v), the density there,
-- and the mean square of x. R. L. Stratonovich, Topics in the Theory of Random Noise, vol. 2 (1967).
-- bmsim explore van_der_pol.lua
local bm = require "bmsim"

local mu = bm.slider("mu", { 0.05, 4, value = 1, log = true })
local D = bm.slider("D", { 0.01, 1, value = 0.1, log = true })

local oscillator = bm.system {
  variables = { "x" }, inertia = { x = true },
  equations = { x = "mu*(1 - x^2)*v_x + v_x - x" }, -- v_x against the friction that inertia has
  noise = { x = bm.noise.gaussian { D = D } },
  parameters = { mu = mu },
}
bm.show(oscillator, { time = 30 })
local r = bm.run {
  model = oscillator, paths = bm.args.paths or 4096, time = 60, transient = 0.4, dt = 0.005,
  initial = { x = { mean = 0, sd = 1.4 }, v_x = { mean = 0, sd = 1.4 } },
  observe = { bm.observe.average { x2 = "x^2", v2 = "v_x^2" },
              bm.observe.density { of = { "v_x", "x" }, bins = 60, range = { x = { -3.5, 3.5 }, v_x = { -7, 7 } } } },
}
r:plot { array = "density_v_x_x", xlabel = "{/:Italic x}", ylabel = "{/:Italic v}", file = "van_der_pol.png",
         zlabel = "{/:Italic p}({/:Italic x}, {/:Italic v})" }
r:print { "x2", "x2_err", "v2", "v2_err" }
