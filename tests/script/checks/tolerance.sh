# Errors of the step in scripts: the example reaches its tolerance; columns, arrays and labels; a limit that is too
# small.
expect_deviation tolerance 3 -D points=3 -D rel=0.1 poisson.D velocity velocity_err velocity_step theory z dt levels \
  paths cost
cat > steps.lua <<'SCRIPT'
local bm = require "bmsim"
local thermal = bm.overdamped {
  potential = bm.potential.piecewise_linear {},
  noise = { bm.noise.poisson { D = 1, a = 2.5 }, bm.noise.gaussian { D = 0.1 } },
}
local r = bm.run {
  model = thermal, sweep = { { "poisson.D", { 1, 2 } } }, spp = 20, periods = 50, paths = 128, device = "cpu",
  step_error = true, observe = { "velocity", bm.observe.density { bins = 4, count = 5 } }, output = "steps.nc",
}
print(table.concat(r:columns(), " "))
print(r:array("density_step").shape[1], r:array("density_step_err").shape[1])
for i, v in ipairs(r:column "velocity") do
  print(math.abs(v - r:column("velocity_step")[i] - r:column("velocity_extrapolated")[i]) < 1e-12)
end
local few = bm.run {
  model = thermal, periods = 50, paths = 64, limit = 500, device = "cpu", tolerance = { velocity = { rel = 1e-4 } },
}
local names = few:columns()
print(#names, table.concat(names, " ", 7))
print(few:column("reached")[1], few:column("paths")[1] <= 500, few.info.increments)
SCRIPT
"$bmsim" --quiet steps.lua > stdout 2> stderr || fail "exit status $?: $(cat stderr)"
diff -u - stdout <<'EXPECTED' || fail "not what was expected"
poisson.D velocity velocity_err velocity_step velocity_step_err velocity_extrapolated velocity_extrapolated_err
4	4
true
true
11	dt levels cost paths reached
0	true	gaussian
EXPECTED
warned='^bmsim: run: the tolerance was not reached at 1 of 1 points within limit = 500 paths; '
warned+='point 1: velocity = .* of it the step .*'
grep -q "$warned" stderr ||
  fail "$(cat stderr)"
"$bmsim" show steps.nc > shown || fail "exit status $?"
expect_text shown "step error of the mean velocity"
"$bmsim" --overwrite --dry-run steps.lua > dry || fail "exit status $?"
