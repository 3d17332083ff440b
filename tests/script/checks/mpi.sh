# Under MPI's launcher: the same bits on any number of ranks, whatever is asked for, interrupted or not; ranks that
# differ, or fail, end all of them with one message. All of it with the MPI of the build; where Open MPI and MPICH are
# both installed, most of it with the other one, too. Where there is no MPI nothing is tested.
lib=$build/lib/libbmsim_mpi.so
[ -e "$lib" ] || exit 0
own=openmpi
ldd "$lib" | grep -q libmpich && own=mpich
mpirun=$(command -v mpirun.$own || command -v mpirun) || exit 0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export BMSIM_MPI=$lib
ranks() { local n=$1; shift; timeout 100 "$mpirun" -n "$n" "$@" 2> stderr; }

# Models of every kind, each asked for in another way.
models=$build/tests/physics/test_physics_divided
[ -e "$models" ] || fail "no $models"
run_models() { "$@" "$models" -ns -tc="*any number of ranks*" > stdout 2>&1 || { cat stdout >&2; fail "$*"; }; }
# for_a_while COMMAND...: at most 100 s; where it hangs is shown.
for_a_while() {
  "$@" &
  local launcher=$! i one
  for ((i = 0; i < 1000; ++i)); do
    kill -0 $launcher 2> /dev/null || { wait $launcher; return; }
    sleep 0.1
  done
  for one in $(pgrep -f "$models"); do
    gdb -p "$one" -batch -ex "thread apply all backtrace" 2> /dev/null || tail -n +1 "/proc/$one/task"/*/{wchan,syscall}
  done
  kill $launcher
  wait $launcher
}
BMSIM_RANKS_WRITE=alone run_models env
[ "$(wc -l < alone)" -ge 30 ] || fail "only $(wc -l < alone) models"
for n in 1 2 3 8; do
  BMSIM_RANKS_WRITE=several run_models for_a_while "$mpirun" -n $n
  cmp -s alone several || fail "$n ranks give other numbers"
  rm several
done

cat > run.lua <<'LUA'
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
print "begins"
bm.run {
  model = model, paths = 5000, time = 60, dt = 0.01, sweep = { { "force", bm.linspace(0, 1, 5) } },
  observe = { "velocity", "mobility" }, check_step = false, output = "first.csv", overwrite = true,
}
LUA
numbers() { grep -hv '^#' first.csv; }
"$bmsim" --threads 1 --device cpu run.lua > stdout || fail "exit status $?"
numbers > whole

# Killed, and taken on by another number of ranks.
ranks 3 "$bmsim" --threads 1 --device cpu --checkpoint "$work/kept" --checkpoint-every 0.05 run.lua > stdout &
sleep 0.8
pkill -9 -f -- "--checkpoint $work/kept --checkpoint-every 0.05" || true
wait $! || true
rm -f first.csv
ranks 2 "$bmsim" --threads 1 --device cpu --checkpoint kept run.lua > stdout ||
  { cat stderr >&2; fail "exit status $?"; }
numbers > several
cmp -s whole several || fail "a number has changed after a kill"
[ -z "$(ls kept | grep -v journal)" ] || fail "left behind: $(ls kept)"

# Parts, each of several ranks. One progress line for all of them.
rm -f first.csv
for part in 1 2; do
  ranks 2 "$bmsim" --threads 1 --device cpu --progress --checkpoint parts --part $part/2 run.lua > stdout ||
    { cat stderr >&2; fail "part $part: exit status $?"; }
  [ $part = 2 ] || expect_text stderr "part 1/2 is done"
done
numbers > several
cmp -s whole several || fail "parts of ranks give other numbers"
[ "$(grep -c "100 %" stderr)" = 1 ] || { cat stderr >&2; fail "not one line of progress"; }

# has_ended WHAT STATUS TEXT: several ranks have ended with this status, not 0, and one message.
has_ended() {
  [ "$2" != 0 ] && [ "$2" != 124 ] || { cat stderr >&2; fail "$mpirun, $1: exit status $2"; }
  expect_text stderr "$3"
  [ "$(grep -cF -- "$3" stderr)" = 1 ] || { cat stderr >&2; fail "$mpirun, $1: more than one message"; }
}
# expect_end SCRIPT TEXT: three ranks end with one message.
expect_end() {
  status=0
  ranks 3 "$bmsim" --threads 1 --device cpu "$1" > stdout || status=$?
  has_ended "$1" $status "$2"
}
# expect_differ TEXT OPTIONS OPTIONS: a rank with the first options, and two with the others.
expect_differ() {
  local program=("$bmsim" --threads 1 --device cpu) first others
  read -ra first <<< "$2"
  read -ra others <<< "$3"
  status=0
  ranks 1 "${program[@]}" "${first[@]}" run.lua : -n 2 "${program[@]}" "${others[@]}" run.lua > stdout || status=$?
  has_ended "$2 : $3" $status "$1; all ranks must be given the same --checkpoint and --part"
}
head='local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.gaussian {} }
local function go(n) bm.run { model = model, paths = n, time = 1, dt = 0.1 } end
local rank = os.getenv "OMPI_COMM_WORLD_RANK" or os.getenv "PMI_RANK"'
printf '%s\ngo(rank == "1" and 500 or 400)\n' "$head" > clock.lua
printf '%s\nif rank ~= "1" then go(400) end\n' "$head" > early.lua
printf '%s\nif rank == "2" then error "boom" end\ngo(400)\n' "$head" > alone.lua
printf '%s\ngo(-1)\n' "$head" > bad.lua

# expect_mpi N...: what $mpirun must do with $BMSIM_MPI; the same numbers on N ranks.
expect_mpi() {
  local n
  for n in "$@"; do
    rm -f first.csv
    ranks $n "$bmsim" --threads 1 --device cpu run.lua > stdout ||
      { cat stderr >&2; fail "$mpirun, $n ranks: exit status $?"; }
    [ "$(grep -c begins stdout)" = 1 ] || fail "$mpirun: $n ranks have printed"
    numbers > several
    cmp -s whole several || fail "$mpirun: $n ranks give other numbers"
  done
  expect_end clock.lua "rank 1 has another run than rank 0"
  expect_end early.lua "a script must do the same on all ranks"
  expect_end alone.lua "rank 2: alone.lua:5: boom"
  expect_end bad.lua "bad.lua:3:"
  expect_differ "rank 1 has no --checkpoint, and rank 0 --checkpoint 'some'" "--checkpoint some" ""
  expect_differ "rank 1 has --checkpoint 'some', and rank 0 no --checkpoint" "" "--checkpoint some"
  expect_differ "rank 1 has --checkpoint 'other', and rank 0 --checkpoint 'some'" "--checkpoint some" \
    "--checkpoint other"
  expect_differ "rank 1 has --checkpoint 'some' --part 1/2, and rank 0 --checkpoint 'some'" "--checkpoint some" \
    "--checkpoint some --part 1/2"
  rm -rf some other
  ranks 2 "$bmsim" --mpi-check > stdout || fail "$mpirun, --mpi-check: exit status $?"
  expect_text stdout "2 ranks"
  expect_text stdout "rank 1 on"
  for n in 0 5; do
    echo "for line = 1, 1e5 do print(line) end os.exit($n)" > exit.lua
    status=0
    ranks 3 "$bmsim" exit.lua > lines || status=$?
    [ "$status" = $n ] || { cat stderr >&2; fail "$mpirun, os.exit($n): exit status $status"; }
    [ "$(wc -l < lines)" = 100000 ] || fail "$mpirun, os.exit($n): $(wc -l < lines) lines of 100000"
  done
}
expect_mpi 1 2 3 8

# What runs no script takes part in no job: it does not wait for ranks that there are not. A rank that waits says so.
beside() { ranks 2 bash -c 'if [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" = 0 ]; then exec "$@"; fi' beside "$@"; }
printf '%s\nbm.run { model = model, paths = 64, time = 1, dt = 0.1, output = "first.nc" }\n' "$head" > netcdf.lua
"$bmsim" --quiet --device cpu netcdf.lua || fail "no first.nc"
for command in --version --help "help run" "plugin list" "show first.nc" "export --csv first.nc" \
  "rerun --yes first.nc"; do
  read -ra words <<< "$command"
  status=0
  beside "$bmsim" "${words[@]}" > stdout || status=$?
  [ $status = 0 ] || { cat stderr >&2; fail "$mpirun, one rank of two with $command: status $status"; }
done
expect_text stdout "identical"
status=0
cat > divided.sh <<'SH'
if [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" = 0 ]; then "$1" --help; sleep 30; else exec "$1" run.lua; fi
SH
timeout 40 "$mpirun" -n 2 bash divided.sh "$bmsim" > stdout 2> stderr || status=$?
expect_text stdout "Usage"
expect_text stderr "this process has waited for the others of its job for 20 s"

# The other MPI: its launcher with this one's library, then with a library that is built as docs/cluster.md says.
declare -A title=([openmpi]="Open MPI" [mpich]=MPICH)
for other in openmpi mpich; do
  [ $other != $own ] && mpirun=$(command -v mpirun.$other) && command -v mpicc.$other > where || continue
  status=0
  ranks 2 "$bmsim" run.lua > lines || status=$?
  [ "$status" = 3 ] || { cat stderr >&2; fail "$mpirun with the library of $own: exit status $status"; }
  expect_text stderr "is of another MPI"
  { CMAKE_GENERATOR=Ninja cmake -S "$here/../../core/world/mpi" -B mpi -DMPI_C_COMPILER=mpicc.$other &&
    cmake --build mpi; } > stdout 2>&1 || { cat stdout >&2; fail "no library for $other"; }
  export BMSIM_MPI=$PWD/mpi/lib/libbmsim_mpi.so
  expect_mpi 1 2 3
  expect_text stdout "${title[$other]}"
done

# No library for MPI: a message that says so, and no run that each rank does alone.
status=0
BMSIM_MPI=/nowhere.so PMI_SIZE=2 "$bmsim" run.lua > stdout 2> stderr || status=$?
[ "$status" = 3 ] || { cat stderr >&2; fail "no library: exit status $status"; }
expect_text stderr "the library for MPI cannot be loaded"
