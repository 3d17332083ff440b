-- Coloured noise far faster than the step: the force is its mean over the step, drawn exactly, so that D is D.
local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.ornstein_uhlenbeck { D = 1, tau = 0.001 } }
for _, precision in ipairs { "single", "double" } do
  local r = bm.run {
    model = model, sweep = { { "ornstein_uhlenbeck.tau", { 1e-5, 1e-3, 1e-2 } } }, dt = 0.01, time = 20, paths = 20000,
    observe = "diffusion", precision = precision, seed = 1,
  }
  for p in r:rows() do
    print(precision, p.ornstein_uhlenbeck.tau, p.diffusion, p.diffusion_err)
    assert(p.diffusion_err < 0.012)
    assert(math.abs(p.diffusion - 1) < 4 * p.diffusion_err)
  end
end
