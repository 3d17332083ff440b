-- The error of a Fano factor where events are so rare that hardly a path has two of them. Of a Poisson process it is 1:
-- over many seeds, (estimate - 1)/error must not scatter by more than 1. Events that keep a distance have their own.
local bm = require "bmsim"
local function deviations(rate, paths, options)
  local model = bm.overdamped { noise = bm.noise.gaussian { D = 0.1 },
                                events = { e = { rate = rate, set = { x = "0" } } } }
  local squares, worst, errors, seeds = 0, 0, 0, 40
  for seed = 1, seeds do
    local r = bm.run { model = model, time = 2, dt = 0.1, transient = 0, paths = paths, seed = seed, check_step = false,
                       target = options.target, limit = options.limit, initial = { x = 0 }, observe = "events" }
    local fano, err = r:column "e_fano"[1], r:column "e_fano_err"[1]
    assert(err == err and fano == fano, ("rate %g, seed %d: no error"):format(rate, seed))
    local z = (fano - 1) / err
    squares, worst, errors = squares + z * z, math.max(worst, math.abs(z)), errors + err / seeds
  end
  return math.sqrt(squares / seeds), worst, errors
end
for _, case in ipairs { { 0.3, 0.044, 1.3 }, { 0.03, 0.044, 1.5 }, { 0.01, 0.044, 3.5 } } do
  local rate, scatter, part = unpack(case)
  local z, worst, err = deviations(rate, 1024, {})
  assert(z < 1.3 and worst < 4, ("rate %g: z scatters by %.2g, at most %.2g"):format(rate, z, worst))
  assert(err < part * scatter, ("rate %g: the error is %.2g on average"):format(rate, err))
end
-- The same of shares, which are taken together.
local z, worst = deviations(0.03, 256, { target = { e_rate = { abs = 1e-9 } }, limit = 1024 })
assert(z < 1.3 and worst < 4, ("shares: z scatters by %.2g, at most %.2g"):format(z, worst))
