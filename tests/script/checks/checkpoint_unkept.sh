# A state or a result that cannot be kept does not end a run, and the end of an interrupted one says so; a damaged state
# is said to be dropped. No file can be longer than 1 MiB here, which the journal of the first script is not, and a
# state is.
cat > long.lua <<'LUA'
local bm = require "bmsim"
bm.run {
  model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 1 } },
  dt = 1e-3, time = tonumber(bm.args.time or 1e8), paths = 65536, check_step = false,
}:print()
LUA
within_room() { (trap '' XFSZ; ulimit -f 1024; "$@"); }
# interrupted DIR: a run that a signal ends.
interrupted() { timeout --foreground --preserve-status -s INT -k 20 2 "$bmsim" --threads 1 --checkpoint "$1" long.lua; }
expect_status() { [ "$status" = "$1" ] || { cat stderr >&2; fail "exit status $status"; }; }

status=0
"$bmsim" --threads 1 -D time=2 long.lua > stdout || fail "exit status $?"  # compiles
interrupted compiles > stdout 2> stderr || status=$?
expect_status 75
status=0
within_room "$bmsim" --threads 1 --checkpoint done --checkpoint-every 0 -D time=2 long.lua > stdout 2> stderr ||
  status=$?
expect_status 0
expect_text stderr "cannot write 'done/part-1-of-1."
expect_text stderr "File too large; the run goes on, and tries again later"
[ "$(grep -c "File too large" stderr)" = 1 ] || { cat stderr >&2; fail "it is said more than once"; }

status=0
within_room interrupted kept > stdout 2> stderr || status=$?
expect_status 75
expect_text stderr "the same command goes on from there; but the state of the paths at work could not be kept"
expect_text stderr "go on from an earlier one or begin again: checkpoint: cannot write 'kept/part-1-of-1."
[ -z "$(ls kept | grep state)" ] || fail "a state is left: $(ls kept)"

status=0
interrupted kept > stdout 2> stderr || status=$?
expect_status 75
if grep -q "could not be kept" stderr; then cat stderr >&2; fail "there is room"; fi
truncate -s 1000 kept/*.state
status=0
interrupted kept > stdout 2> stderr || status=$?
expect_status 75
expect_text stderr "in 'kept' is damaged and is dropped; its paths begin again"

# Results: a sweep's need more than there is room for. The run says so once and ends well; the same command finds some,
# makes the others, and has the same numbers. (16 paths are one group on every CPU; where a point has several, so little
# memory would make pieces of it.)
cat > sweep.lua <<'LUA'
local bm = require "bmsim"
bm.run {
  model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 1 } },
  sweep = { { "force", bm.linspace(0, 1, 96) } }, dt = 1e-2, time = 2, paths = 16, memory = 65536, check_step = false,
  observe = { "velocity", bm.observe.density { bins = 1000 } },
}:print()
LUA
shares() { "$bmsim" checkpoint partly | grep -o "[0-9]* of 96 shares"; }
"$bmsim" --threads 1 sweep.lua > whole || fail "exit status $?"
within_room "$bmsim" --threads 1 --checkpoint partly sweep.lua > stdout 2> stderr || fail "exit status $?"
cmp stdout whole || fail "other numbers where results are not kept"
[ "$(grep -c "cannot write 'partly/part-1-of-1.*File too large; the run goes on" stderr)" = 1 ] ||
  { cat stderr >&2; fail "it is not said once"; }
few=$(shares)
[ "${few%% *}" -gt 10 ] && [ "${few%% *}" -lt 96 ] || fail "$few were kept where there was room for most"
"$bmsim" --threads 1 --checkpoint partly sweep.lua > stdout 2> stderr || { cat stderr >&2; fail "exit status $?"; }
cmp stdout whole || fail "other numbers where the rest is made"
[ "$(shares)" = "96 of 96 shares" ] || fail "$(shares) where there is room"
