-- What a point of a sweep costs besides its steps: seconds for many points, each of which makes one step. For the
-- estimates of time in docs/cluster.md: under MPI's launcher that of ranks, with --checkpoint that of the journal.
--   mpirun -n 16 bmsim --threads 1 --device cpu empty_units.lua
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
for _, points in ipairs(bm.args.points and { bm.args.points } or { 100, 1000, 10000, 100000 }) do
  local best, info = math.huge, nil
  for seed = 1, 3 do
    local r = bm.run {
      model = model, paths = 64, time = 0.01, dt = 0.01, transient = 0, observe = { "velocity", "diffusion" },
      sweep = { { "force", bm.linspace(0, 1, points) } }, check_step = false, seed = seed,
    }
    best, info = math.min(best, r.info.seconds), r.info
  end
  print(("%d ranks  %7d points  %.4f s"):format(info.ranks or 1, points, best))
end
