-- Steps per second of a run that fits into one batch, and of one ten times as long, which takes several: for
-- docs/benchmarks.md.
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine { V0 = 1 }, noise = bm.noise.gaussian { D = 0.5 } }
for _, time in ipairs { 400, 4000 } do
  local r = bm.run {
    model = model, dt = 0.005, time = time, paths = 2 ^ 16, sweep = { { "force", bm.linspace(0, 2, 1024) } },
    observe = { "velocity", "diffusion" }, check_step = false, device = bm.args.device or "cuda:0",
  }
  print(("%d batches  %.1f s  %.4g steps/s"):format(r.info.batches, r.info.seconds, r.info.steps_per_second))
end
