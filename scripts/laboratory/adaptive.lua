-- Method adaptive against heun: the error of the velocity over walls, a sharp sawtooth and a sine (exact:
-- Stratonovich), and the time that each run takes.
--   bmsim --threads 1 adaptive.lua   two minutes; -D paths=192: quick
local bm = require "bmsim"
local potential, gaussian = bm.potential, bm.noise.gaussian { D = 0.2 }
local function wall(k) return potential.formula { "exp(k*(cos(2*pi*x/L) - 1))", k = k, L = 1 } end

local cases = {
  { "wall, K = 50", wall(50), 0.5, { 0.001, 0.0005, 0.0002, 0.0001 }, "gaussian" },
  { "wall, K = 500", wall(500), 0.5, { 0.0005, 0.0002, 0.0001, 0.00005 }, "gaussian" },
  { "sawtooth", potential.piecewise_linear { L = 1, k = 0.95 }, 0.5, { 0.002, 0.001, 0.0005, 0.0002 } },
  { "sine", potential.sine {}, 2, { 0.02, 0.005, 0.002 } },
}

local function row(case, fields)
  fields.model = bm.overdamped { potential = case[2], noise = gaussian, force = case[3] }
  fields.time, fields.paths = 50, bm.args.paths or 18432
  local r = bm.run(fields)
  r:compare(bm.theory.stratonovich)
  local exact = r:column "theory"[1]
  local percent = 100 / exact
  print(("| %s | `%s` | %g | %+.1f ± %.1f %% | %.2g s |"):format(case[1], fields.method,
    fields.local_error or fields.dt, percent * (r:column "velocity"[1] - exact),
    percent * r:column "velocity_err"[1], r.info.seconds))
end

print "| potential | method | dt or `local_error` | error of ⟨v⟩ | time |\n|---|---|---|---|---|"
for _, case in ipairs(cases) do
  for _, dt in ipairs(case[4]) do row(case, { method = "heun", dt = dt, increments = case[5] }) end
  for _, chi in ipairs { 0.01, 0.003, 0.001 } do row(case, { method = "adaptive", dt = 0.02, local_error = chi }) end
end
