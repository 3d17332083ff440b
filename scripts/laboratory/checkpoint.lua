-- What a checkpoint costs: the seconds of a run, for bmsim without and with --checkpoint and --checkpoint-every.
--   bmsim --device cuda [--checkpoint DIR] checkpoint.lua   three seconds on a GPU; -D time=N: shorter
local bm = require "bmsim"
local r = bm.run {
  model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } },
  paths = 2 ^ 20, time = bm.args.time or 5000, dt = 0.005, sweep = { { "force", bm.linspace(0, 1, 3) } },
  observe = { "velocity", "diffusion", bm.observe.moments { count = 3 } },
}
print(r.info.device, r.info.seconds)
