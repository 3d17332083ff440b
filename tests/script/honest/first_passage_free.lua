-- A free particle without a force comes back after a time whose mean is infinite.
local bm = require "bmsim"
local function mean(time, force)
  local r = bm.run {
    model = bm.overdamped { noise = bm.noise.gaussian { D = 1 }, force = force }, paths = 1024, dt = 0.05, time = time,
    observe = bm.observe.first_passage { from = 0, to = 1 },
  }
  return r:column("mean_first_passage_time")[1], r:column("mean_first_passage_time_err")[1],
         r:column("first_passage_censored")[1]
end
for _, time in ipairs { 2, 20, 400, 4000 } do
  local t, err, left = mean(time, 0)
  assert(left > 0 and t ~= t and err ~= err, ("%g +- %g with %g censored"):format(t, err, left))
end
local t, err = mean(40, 1)  -- with a force: 1
assert(math.abs(t - 1) < 4 * err + 0.02, ("%g +- %g"):format(t, err))
