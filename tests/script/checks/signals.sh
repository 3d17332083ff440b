# Signals end every phase of the work within seconds, with the status that is theirs, and leave no process and no file.
export TMPDIR=$PWD/tmp
mkdir tmp

# A phase each, longer than any machine needs to hear a signal.
cat > planning.lua <<'LUA'
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
print "begins"
bm.run { model = model, dt = 0.01, time = 1e4, paths = 64, sweep = { { "force", bm.linspace(0, 1, 4000000) } } }
LUA
cat > adaptive.lua <<'LUA'
local bm = require "bmsim"
local wall = bm.potential.formula { "A*exp(k*(cos(2*pi*x/L) - 1))", A = 1, k = 50, L = 1 }
local model = bm.overdamped { potential = wall, noise = bm.noise.gaussian { D = 0.2 }, force = 0.5 }
print "begins"
bm.run { model = model, dt = 0.02, time = 2, paths = 64, method = "adaptive", device = "cpu",
         sweep = { { "force", bm.linspace(0, 1, 400000) } } }
LUA
cat > spectrum.lua <<'LUA'
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
print "begins"
bm.run { model = model, dt = 0.05, time = 500, paths = 4000, check_step = false, memory = 2e8,
         sweep = { { "force", bm.linspace(0, 1, 5000) } },
         observe = bm.observe.spectrum { step = 0.05, samples = 4096, segments = 2, paths = 4000 } }
LUA
cat > theory.lua <<'LUA'
local bm = require "bmsim"
local model = bm.underdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 }, gamma = 1 }
print "begins"
bm.theory.curve(model, { "force", bm.linspace(0, 1, 100000) }, "inertial")
LUA
one_point() { sed "s/check_step = false, .*/$1 }/; s/$2/; /sweep/d; /observe/d" spectrum.lua; }
one_point "check_step = false, target = { velocity = { rel = 1e-6 } }, limit = 1e12" "\$/" > target.lua
one_point "tolerance = { velocity = { abs = 1e-6 } }, limit = 1e12" "$/" > tolerance.lua
one_point "step_error = true" "paths = 4000/paths = 1e7" > step_error.lua
one_point 'transient = "auto"' "time = 500/time = 1e8" > transient.lua
for script in *.lua; do sed -i 's/print "begins"/& io.stdout:flush()/' $script; done

# over PID: the process has ended; it may wait for its parent, which is not ours.
over() { [ ! -e "/proc/$1" ] || grep -q '^[0-9]* (.*) Z' "/proc/$1/stat" 2> /dev/null; }
# within SECONDS COMMAND...: waits for the command to succeed.
within() {
  local left=$(($1 * 10))
  shift
  while ! "$@"; do
    [ $left -gt 0 ] || return 1
    left=$((left - 1))
    sleep 0.1
  done
}
begun() { grep -q begins stdout; }
worked() { awk '{ exit !($14 + $15 >= 100) }' /proc/$program/stat; }  # a second of work
# ended SIGNAL STATUS: sends it to the program, which ends with this status.
ended() {
  kill "-$1" $program
  within 30 over $program || { kill -KILL $program; fail "$what: SIG$1 is not heard"; }
  status=0
  { wait $program; } 2> /dev/null || status=$?
  [ $status = "$2" ] || { cat stderr >&2; fail "$what: SIG$1: exit status $status, not $2"; }
  expect_text stderr interrupted
  [ -z "$(ls -A tmp)" ] || fail "$what: left behind: $(ls -A tmp)"
}
begin() {
  what=$*
  "$bmsim" "$@" > stdout 2> stderr &
  program=$!
}
for script in planning adaptive spectrum theory target tolerance step_error transient; do
  begin --threads 1 $script.lua
  within 60 begun || fail "$script does not begin: $(cat stderr)"
  within 60 worked || fail "$script: nothing is done"
  case $script in
    planning) ended HUP 129 ;;
    theory) ended TERM 143 ;;
    *) ended INT 130 ;;
  esac
done
[ -z "$(ls -A | grep -v -e '\.lua$' -e '^std' -e '^tmp$')" ] || fail "left behind: $(ls -A)"

# A gnuplot that hangs, with a child.
mkdir bin
cat > bin/gnuplot <<'SH'
#!/bin/sh
sleep 1000 &
echo $$ $! > started
wait
SH
chmod +x bin/gnuplot
cat > plot.lua <<'LUA'
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
local r = bm.run { model = model, dt = 0.01, time = 1, paths = 64, sweep = { { "force", { 0, 1 } } } }
r:plot { x = "force", y = "velocity", file = "plot.svg" }
LUA
for signal in INT:130 TERM:143; do
  PATH=$PWD/bin:$PATH begin plot.lua
  within 60 [ -s started ] || fail "no gnuplot"
  processes=$(cat started)
  ended ${signal/:/ }
  for process in $processes; do within 30 over $process || fail "gnuplot is left behind"; done
  [ -z "$(ls -A | grep plot.svg)" ] || fail "plot: left behind: $(ls -A)"
  rm started
done

# A compiler that hangs, with a child.
cat > compiler <<'SH'
#!/bin/sh
sleep 1000 &
echo $$ $! > "$STARTED.part"
mv "$STARTED.part" "$STARTED"
wait
SH
chmod +x compiler
cat > small.lua <<'LUA'
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
bm.run { model = model, dt = 0.01, time = 1, paths = 64, device = "cpu", output = "small.nc" }
LUA
"$bmsim" small.lua
export STARTED=$PWD/started
hung() { BMSIM_CXX=$PWD/compiler XDG_CACHE_HOME=$PWD/cache begin "$@"; within 60 [ -e started ] || fail "no compiler"; }
# nothing_left PROCESS...: none of them, and no file in the cache.
nothing_left() {
  for process in "$@"; do within 30 over "$process" || fail "$what: process $process is left behind"; done
  [ -z "$(find cache -type f)" ] || fail "$what: left behind: $(find cache -type f)"
  rm started
}
for signal in INT:130 TERM:143 HUP:129; do
  hung --overwrite small.lua
  processes=$(cat started)
  ended ${signal/:/ }
  nothing_left $processes
done
hung rerun --yes small.nc
processes="$(cat started) $(cat /proc/$program/task/*/children)"
ended TERM 143
nothing_left $processes
hung plugin check sine
processes=$(cat started)
ended INT 130
nothing_left $processes
hung --overwrite small.lua
processes=$(cat started)
kill -KILL $program
for process in $processes; do within 30 over $process || fail "the compiler outlives a program that is killed"; done
{ wait $program; } 2> /dev/null || true
rm -r started cache

export BMSIM_CXX=$PWD/compiler XDG_CACHE_HOME=$PWD/cache BMSIM_COMPILE_SECONDS=0.3
status=0
"$bmsim" --overwrite small.lua 2> stderr || status=$?
[ $status = 3 ] || fail "a compiler that hangs: exit status $status"
expect_text stderr "has not compiled it within 0.3 s, which BMSIM_COMPILE_SECONDS sets; the source is kept in"
for process in $(cat started); do within 30 over $process || fail "a compiler that hangs is left behind"; done
status=0
BMSIM_COMPILE_SECONDS=soon "$bmsim" --overwrite small.lua 2> stderr || status=$?
[ $status = 3 ] || fail "a limit that is no number: exit status $status"
expect_text stderr "BMSIM_COMPILE_SECONDS must be a number > 0, got 'soon'"
status=0
BMSIM_KERNEL_GROUP=9 "$bmsim" --overwrite small.lua 2> stderr || status=$?
[ $status = 3 ] || fail "a group of 9: exit status $status"
expect_text stderr "BMSIM_KERNEL_GROUP must be a whole number from 1 to 8, got '9'"
