-- Events after fixed intervals, of which one comes with the beginning of the window and one with its end: the latter is
-- counted, in steps of any length. The check of the step has the same window as the run, and finds nothing.
local bm = require "bmsim"
local function counted(every, dt, time, transient)
  local model = bm.overdamped { noise = bm.noise.gaussian {},
    events = { e = { every = every, set = { x = "x + 1" } } } }
  local r = bm.run { model = model, time = time, dt = dt, paths = 256, transient = transient, observe = "events" }
  assert(#r.info.warnings == 0, table.concat(r.info.warnings, "\n"))
  return r:column "e_rate"[1] * (1 - transient) * time
end
for _, case in ipairs {
  { 0.5, 0.02, 10, 0.1 }, { 0.5, 0.1, 11, 0.5 }, { 0.5, 0.5, 10, 0.1 }, { 0.5, 0.0625, 7.5, 0.2 },
  { 0.3, 0.07, 2100, 0.1 }, { 1.1, 0.03, 3300, 0.1 },
} do
  local every, dt, time, transient = unpack(case)
  local n, exact = counted(every, dt, time, transient), (1 - transient) * time / every
  assert(math.abs(n - exact) < 1e-6 * exact, ("%g events every %g in steps of %g, not %g"):format(n, every, dt, exact))
end
-- Windows of no whole number of the longer steps of the check.
counted(0.5, 0.1, 5.5, 0.1)
counted(0.5, 0.07, 7, 0.1)

-- What is recorded at the time of an event is the state just before it, at every time alike; the window that ends there
-- takes the event in.
local clock = bm.system { variables = { "n" }, events = { tick = { every = 1, set = { n = "n + 1" } } } }
local r = bm.run { model = clock, time = 10, dt = 0.1, transient = 0, paths = 16, check_step = false,
                   observe = { "velocity", "events", bm.observe.moments { times = { 1, 5, 10 } } } }
local seen = r:array "n_cumulant_1".values[1]
assert(seen[1] == 0 and seen[2] == 4 and seen[3] == 9, table.concat(seen, " "))
assert(math.abs(r:column "tick_rate"[1] - 1) < 1e-12 and math.abs(r:column "velocity_n"[1] - 1) < 1e-12)
