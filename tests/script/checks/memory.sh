# Recordings that do not fit: --dry-run tells how large they are, a run says of what memory ran out, and what to lower.
cat > large.lua <<'LUA'
local bm = require "bmsim"
bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian {} }, dt = 0.01, time = 100, transient = 0, paths = 96000,
  memory = bm.args.memory or 1e15, device = "cpu", observe = bm.observe.paths { count = 10001 },
}:print()
LUA
"$bmsim" --dry-run large.lua > stdout || fail "exit status $?"
expect_text stdout "7.68 GB of recordings, 80 kB of each"
"$bmsim" --dry-run -D memory=1e9 large.lua > stdout || fail "exit status $?"
expect_text stdout "in 8 batches of 1 GB at most"
expect_text stdout "7.68 GB more for the recordings of a point"
# A sanitizer's program does not start with so little room for addresses.
(ulimit -v 6000000 && "$bmsim" --version > stdout 2>&1) || exit 77
status=0
(ulimit -v 6000000 && "$bmsim" large.lua) > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "exit status $status"
expect_text stderr "large.lua:2: cpu: out of memory: 7.68 GB for recordings; lower times or count of what is recorded, "
# Batches fit, but not what they record together.
status=0
(ulimit -v 6000000 && "$bmsim" -D memory=1e9 large.lua) > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "exit status $status"
expect_text stderr "large.lua:2: run: 96000 paths recorded at 10001 times would take 7.68 GB of memory, and "

# Where nobody says what batches may take they leave room for what they record together.
cat > beside.lua <<'LUA'
local bm = require "bmsim"
local result = bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian {} }, dt = 0.01, time = 10, transient = 0, paths = 96000,
  device = "cpu", memory = bm.args.memory, check_step = false,
  observe = { "velocity", bm.observe.density { range = { -20, 20 }, count = 1100 } },
}
print(result.info.batches > 1)
LUA
(ulimit -v 1200000 && "$bmsim" --threads 1 beside.lua) > stdout 2> stderr || { cat stderr >&2; fail "exit status $?"; }
expect_text stdout true
status=0
(ulimit -v 1200000 && "$bmsim" --threads 1 -D memory=5e8 beside.lua) > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "batches of half of the memory: exit status $status"
