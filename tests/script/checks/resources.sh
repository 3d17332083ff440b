# What a run takes is told by --dry-run, and what does not fit is refused before any time is spent on it.
cat > large.lua <<'LUA'
local bm = require "bmsim"
local bins = bm.args.bins or 1000
bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, dt = 0.01, time = 1, paths = 16, device = "cpu",
  sweep = { "gaussian.D", bm.linspace(0.1, 1, bm.args.points or 20) }, output = "large." .. (bm.args.suffix or "nc"),
  observe = bm.observe.displacement_density { bins = bins, range = { -5, 5 }, times = bm.linspace(0.1, 1, 10) },
}
LUA
"$bmsim" --dry-run large.lua > stdout 2> stderr || fail "exit status $?"
expect_text stdout " MB for all points and results, on this computer"
expect_text stdout "file        2.88 MB at most: 'large.nc'"
[ ! -s stderr ] || { cat stderr >&2; fail "a warning"; }

# refused TEXT: the last run ended with this message.
refused() {
  [ "$status" = 1 ] || fail "exit status $status"
  expect_text stderr "$1"
  [ ! -e large.nc ] || fail "a file was left"
}

# A plan of so many points would be made for minutes, and their results fill any memory.
status=0
timeout 60 "$bmsim" -D points=10000000 large.lua > stdout 2> stderr || status=$?
refused "large.lua:3: run: 10000000 points with 18009 numbers each would take 2.9 TB of memory, and "
expect_text stderr " are free; record less (times, bins, count), or run a part of the sweep at a time"

# What takes minutes is told when it has taken two seconds.
cat > many.lua <<'LUA'
local bm = require "bmsim"
bm.run {
  model = bm.system { variables = { "x", "y" }, parameters = { k = 1 }, equations = { x = "y - k*x", y = "x*y" } },
  sweep = { "k", bm.linspace(0.1, 1, 3e6) }, time = 1, dt = 0.01, paths = 16,
}
LUA
"$bmsim" --dry-run many.lua > stdout 2> stderr &
for _ in $(seq 300); do
  if grep -q "takes about" stderr; then break; fi
  sleep 0.1
done
kill $!
wait $! || true
expect_text stderr " of 3000000 points takes about "

# ulimit -f stands for a disk that is full.
status=0
(ulimit -f 100 && "$bmsim" large.lua) > stdout 2> stderr || status=$?
refused "large.lua:3: output: 'large.nc' would have 2.88 MB, and 102 kB a file may have (ulimit -f)"
(ulimit -f 2000 && "$bmsim" --dry-run large.lua) > stdout 2> stderr || fail "exit status $?"
expect_text stderr "output: 'large.nc' may have up to 2.88 MB, and 2.05 MB a file may have (ulimit -f)"
# The table of a .csv has no arrays.
(ulimit -f 2000 && "$bmsim" --dry-run -D suffix=csv large.lua) > stdout 2> stderr || fail "exit status $?"
[ ! -s stderr ] || { cat stderr >&2; fail "a warning"; }

# A sanitizer's program does not start with so little room for addresses.
(ulimit -v 6000000 && "$bmsim" --version > stdout 2>&1) || exit 77
status=0
(ulimit -v 6000000 && "$bmsim" -D points=25000 large.lua) > stdout 2> stderr || status=$?
refused "large.lua:3: run: 25000 points with 18009 numbers each would take 7.2"
