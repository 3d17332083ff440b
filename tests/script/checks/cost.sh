# What a run of more than a minute will cost is said before it starts: its steps and time, the slowest point and why,
# and what would be cheaper. It is no warning, and --quiet leaves it out.
cat > long.lua <<'LUA'
local bm = require "bmsim"
local m = bm.overdamped { force = 10, noise = bm.noise.gaussian { D = 1e-3 } }
local more = loadstring("return { " .. (bm.args.more or "") .. " }")()
local run = { model = m, sweep = { "gaussian.D", { 1, 1e-2, 1e-4, 1e-6 } }, time = 100 }
for key, value in pairs(more) do run[key] = value end
local r = bm.run(run)
print(r.info.method, r.info.expected_seconds > 60)
LUA
# said OPTIONS... : what the run says before it is interrupted.
said() {
  status=0
  : > stderr
  timeout -s INT 20 "$bmsim" "$@" long.lua > stdout 2> stderr &
  pid=$!
  for _ in $(seq 100); do
    if [ -s stderr ]; then break; fi
    sleep 0.1
  done
  kill -INT $pid 2> kill_says || true
  wait $pid || status=$?
}
said -D 'more=method = "exact"'
expect_text stderr "bmsim: run: 2.1e+13 ticks, about"
expect_text stderr "the slowest of 4 points, gaussian.D = 1e-06, takes 99 % of it: its clock ticks every D/(2 u^2)"
expect_text stderr 'method = "auto" (heun, double precision) would take about'
said --strict -D 'more=dt = 1e-9, check_step = false'
expect_text stderr "dt = 1e-09 is given; the default step (heun, double precision) would take about"
said -D 'more=sweep = { "gaussian.D", { 1, 2 } }, dt = 1e-4, paths = 1e7, precision = "double", check_step = false'
expect_text stderr "precision = "
[ "$status" = 130 ] || fail "exit status $status"
# A dry run says it where it says what else the run takes; a short run says nothing.
"$bmsim" --dry-run -D 'more=method = "exact"' long.lua > stdout 2> stderr || fail "exit status $?"
expect_text stdout "the slowest of 4 points, gaussian.D = 1e-06"
expect_text stdout "exact	true"
[ ! -s stderr ] || fail "a dry run has said on stderr: $(cat stderr)"
"$bmsim" long.lua > stdout 2> stderr || fail "exit status $?"
[ ! -s stderr ] || fail "a short run has said: $(cat stderr)"
expect_text stdout "heun	false"
# --quiet leaves it out.
timeout -s INT 3 "$bmsim" --quiet -D 'more=dt = 1e-9, check_step = false' long.lua > stdout 2> stderr || true
if grep -q "steps per second" stderr; then fail "not quiet: $(cat stderr)"; fi
