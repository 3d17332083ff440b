# Ctrl-C ends a long run, and a Lua loop, with status 130 and no file; a run that has finished points gives them.
cat > long.lua <<'LUA'
local bm = require "bmsim"
print "begins"
io.stdout:flush()
bm.run {
  model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 1 } },
  dt = 1e-3, time = 1e8, paths = 1024, output = "long.csv",
}
LUA
cat > loop.lua <<'LUA'
print "begins"
io.stdout:flush()
while true do end
LUA
for script in long loop; do
  # --foreground: one signal to the program, not a second one to its process group.
  status=0
  timeout --foreground --preserve-status -s INT -k 20 3 "$bmsim" $script.lua > stdout 2> stderr || status=$?
  expect_text stdout "begins"
  [ "$status" = 130 ] || { cat stderr >&2; fail "$script: exit status $status"; }
  expect_text stderr "interrupted"
done
[ -z "$(ls -A | grep -v -e '\.lua$' -e '^std')" ] || fail "left behind: $(ls -A)"

cat > points.lua <<'LUA'
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
local function go(time, output)
  return bm.run {
    model = model, paths = 20000, time = time, dt = 0.01, sweep = { { "force", bm.linspace(0, 1, 40) } },
    observe = "velocity", memory = 1e6, check_step = false, output = output,
  }
end
go(0.1)
print "begins"
io.stdout:flush()
local r = go(1000, "points.csv")
print("complete", r.info.complete)
local again = pcall(go, 1)
print("again", again)
LUA
unset BMSIM_KERNEL_GROUP  # of the speed that users have
"$bmsim" --threads 1 points.lua > stdout 2> stderr &
for wait in $(seq 300); do grep -q begins stdout && break; sleep 0.1; done
# 5 s of work: some points.
worked() { awk '{ exit !($14 + $15 >= 500) }' /proc/$1/stat; }
for wait in $(seq 300); do worked $! && break; sleep 0.1; done
kill -INT $!
status=0
wait $! || status=$?
[ "$status" = 130 ] || { cat stderr >&2; fail "points: exit status $status"; }
expect_text stderr "of 40 points are finished; the others are nan"
expect_text stdout "complete	false"
expect_text stdout "again	false"
grep -q '^#.*points are finished' points.csv || fail "the file does not say that its run was interrupted"
finished=$(sed -n 's/.*run: interrupted: \([0-9]*\) of 40 .*/\1/p' stderr)
numbers=$(grep -v '^#' points.csv | tail -n +2 | grep -vc nan)
[ "$numbers" = "$finished" ] || fail "$numbers points have numbers, $finished are finished"
