-- An error that two to four paths know must not end a run.
local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.gaussian { D = 0.5 } }
local function run(paths)
  return bm.run { model = model, dt = 0.1, time = 10, paths = paths, observe = { "velocity", "diffusion" },
                  sweep = { "force", { 0, 1, 2, 3, 4, 5, 6, 7 } }, target = { diffusion = { rel = 0.05 } } }
end
for _, paths in ipairs { 2, 4, 16 } do
  local ok, message = pcall(run, paths)
  assert(not ok and tostring(message):find("paths >= 64", 1, true), tostring(message))
end
local r = run(64)
local D, err, paths = r:column "diffusion", r:column "diffusion_err", r:column "paths"
for i = 1, r.points do
  assert(paths[i] >= 1024 and err[i] > 0, "no error is looked at before 1024 paths")
  assert(math.abs(D[i] - 0.5) < 4.5 * err[i], ("D %g +- %g"):format(D[i], err[i]))
end
