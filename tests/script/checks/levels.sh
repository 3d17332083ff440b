# First passages and residences, exponents and basins in scripts: columns, arrays, what is said of them, and what they
# cannot be asked.
cat > levels.lua <<'SCRIPT'
local bm = require "bmsim"
local hot = bm.overdamped { noise = bm.noise.gaussian { D = 0.5 } }
local r = bm.run {
  model = hot, sweep = { "force", { 0, 1 } }, paths = 256, dt = 0.02, time = 4, device = "cpu", output = "levels.nc",
  observe = { bm.observe.first_passage { from = 0, to = 1, bins = 4, longest = 2 }, "velocity", "lyapunov",
              bm.observe.residence { from = -0.5, to = 0.5 } },
}
print(table.concat(r:columns(), "\n"))
local density = r:array "first_passage_density"
print(density.dims[1].name, density.dims[1].values[4], density.shape[1], r:array("first_passage_time").values[2][1])
-- Without a force the position reaches 1 in time 4 but for erf(1/sqrt(8)) = 0.383 of the paths.
print(math.abs(r:column("first_passage_censored")[1] - 0.383) < 0.12, r:column("first_passage_censored")[2] < 0.1)
local open = bm.run { model = hot, paths = 64, dt = 0.02, time = 1, device = "cpu", transient = 0,
                      observe = bm.observe.first_passage { to = { -3, 3 } },
                      initial = { x = { from = -1, to = 1, count = 64 } } }
print(open:array("first_passage_density").dims[1].name, #open:columns())

local function try(f) print((select(2, pcall(f)):gsub("^[^:]*:%d+: ", ""))) end
local function run(observe, initial)
  return function() bm.run { model = hot, paths = 64, dt = 0.02, time = 20, observe = observe, initial = initial } end
end
try(run(bm.observe.first_passage {}))
try(run(bm.observe.first_passage { to = { 1, 2, 3 } }))
try(run(bm.observe.first_passage { to = { 2, 1 } }))
try(run(bm.observe.first_passage { from = 1, to = 1 }))
try(run(bm.observe.first_passage { from = 3, to = { 1, 2 } }))
try(run(bm.observe.first_passage { from = 0, to = 1 }, { x = 0 }))
try(run(bm.observe.first_passage { to = 1, bins = -1 }))
try(run(bm.observe.residence { from = 1 }))
try(run(bm.observe.residence { from = 1, to = 0.5 }))
try(run(bm.observe.turning_points {}))
try(run { bm.observe.residence { from = 0, to = 1 }, bm.observe.residence { from = 0, to = 2 } })
try(run(bm.observe.lyapunov { steps = 1 }))
try(run("basins"))
try(run("basins", { x = { from = 0, to = 1, count = 65 } }))
SCRIPT
"$bmsim" --quiet levels.lua > stdout 2> stderr || fail "exit status $?: $(cat stderr)"
diff -u - stdout <<'EXPECTED' || fail "not what was expected"
force
mean_first_passage_time
mean_first_passage_time_err
first_passage_variance
first_passage_variance_err
first_passage_censored
first_passage_censored_err
velocity
velocity_err
lyapunov
lyapunov_err
residence_low
residence_low_err
residence_high
residence_high_err
residence_low_fraction
residence_low_fraction_err
passage_time	1.75	4	0.25
true	true
passage_time	6
observe.first_passage: to must be given: a position, or the two ends of an interval
observe.first_passage: to must be a position, or the two ends of an interval, got 3 numbers
observe.first_passage: to must ascend, got 1 after 2
observe.first_passage: from must differ from to, got 1
observe.first_passage: from must be in the interval (1, 2), got 3
observe.first_passage: from and initial x of the run exclude each other
observe.first_passage: bins must be in [0, 100000], got -1
observe.residence: give both from and to, the levels at which the lower and the upper state begin
observe.residence: from must be < to = 0.5, got 1
observe.turning_points: threshold must be given and > 0: how far x goes back before a turning point counts
observe: 'residence' is asked for twice
observe.lyapunov: unknown option 'steps'; known: none
observe.basins: the run must have a grid of initial values, as in initial = { x = { from = -1, to = 1, count = 20 } }
observe.basins: paths must be at least those of the grid, 65, got 64
EXPECTED
warned='^bmsim: first_passage: up to .* % of the paths had not passed by the end of the run, at 2 of 2 points; '
warned+='mean and variance are nan at 1 of them, where more than half had not, or'
grep -q "$warned" stderr ||
  fail "$(cat stderr)"
"$bmsim" show levels.nc > shown || fail "exit status $?"
expect_text shown "mean first-passage time"
