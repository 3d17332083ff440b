#!/bin/bash
# limits.sh PROGRAM FAILING_IO short|long: runs under limits of memory and files, in directories that are full or only
# read, with pipes that break, with results of many points, and with the journals of another version of the program,
# $BMSIM_BEFORE. They end well, or with a message that says what is missing. Prints a table (table.sh), and ends with
# status 1 if anything was lost, wrong or hung.
. "$(dirname "$0")/table.sh"
cp "$here/run.lua" .
export TMPDIR=$elsewhere
bmsim=("$program" --quiet --threads 1 --device cpu)
files=(first.csv moments.csv second.csv)
afresh() { rm -rf kept "${files[@]}" ./*.2.csv many.*; }
run() { timeout -k 5 120 "${bmsim[@]}" "$@" > stdout 2> stderr; }
numbers() { cat "${files[@]}" 2> /dev/null | grep -v '^#'; }
# is_whole WHAT STATUS: a run has ended well, and has the numbers of a whole one.
is_whole() { [ "$2" = 0 ] && numbers | cmp -s - whole || is_wrong "$1: status $2, or other numbers"; }
# is_said WHAT STATUS TEXT: or it has ended with one message that says this, and no torn file.
is_said() {
  if [ "$2" = 0 ]; then is_whole "$@"; return; fi
  grep -qE "$3" stderr || is_wrong "$1: status $2, and no message that says '$3'"
  [ "$(wc -l < stderr)" -le 3 ] || is_wrong "$1: $(wc -l < stderr) lines"
  [ -z "$(ls -A | grep '\.part$')" ] || is_lost "$1: left behind: $(ls -A)"
}
run run.lua || { cat stderr >&2; exit 1; }
numbers > whole
head_of_table

begin "a limit of the memory (ulimit -v)"
for mb in $([ "$length" = long ] && seq 20 20 1000 || echo 60 120 200 400); do
  afresh
  tried=$((tried + 1)) status=0
  (ulimit -v $((1024 * mb)); run run.lua) || status=$?
  judge $status
  is_said "$mb MB" $status 'memory|cannot allocate|[Ff]ailed to map|cannot start|Resource temporarily'
done
report

# A control group of its own, if this user may make one. Below 30 MB the kernel ends the program by itself.
group=/sys/fs/cgroup/memory/bmsim_faults_$$ limit=memory.limit_in_bytes
[ -d /sys/fs/cgroup/memory ] || { group=/sys/fs/cgroup/bmsim_faults_$$ limit=memory.max; }
if mkdir "$group" 2> /dev/null && echo 1G 2> /dev/null > "$group/$limit"; then
  begin "a limit of a control group's memory"
  for mb in $([ "$length" = long ] && seq 40 40 1000 || echo 60 400); do
    afresh
    tried=$((tried + 1)) status=0
    echo "${mb}M" > "$group/$limit"
    (echo "$BASHPID" > "$group/cgroup.procs" && run run.lua) || status=$?
    judge $status
    is_said "$mb MB" $status 'memory'
  done
  report
  rmdir "$group"
fi

begin "a limit of open files (ulimit -n)"
for most in $([ "$length" = long ] && seq 5 40 || echo 5 6 8 12); do
  afresh
  tried=$((tried + 1)) status=0
  (ulimit -n "$most"; run --checkpoint kept run.lua) || status=$?
  judge $status
  is_said "$most files" $status 'open files|Error 24'
done
report

# A directory of its own, if this user may mount one.
mkdir -p place
within() { unshare -m bash -c "mount -t tmpfs -o size=$1 tmpfs place && $2 mount -o remount,$3 place && ${*:4}"; }
if within 64k true rw true 2> /dev/null; then
  export -f run
  begin "a checkpoint in a directory that is only read, or full"
  command="timeout -k 5 120 ${bmsim[*]} --checkpoint place/kept run.lua"
  for fills in "true && :ro" "true && :ro,size=64k" "head -c 1M /dev/zero > place/much; true; :rw" \
               "mkdir -p place/kept && head -c 1M /dev/zero > place/kept/much; true; :rw"; do
    afresh
    tried=$((tried + 1)) status=0
    within 64k "${fills%:*}" "${fills##*:}" "$command" > stdout 2> stderr || status=$?
    judge $status
    is_whole "$fills" $status
    [ "$(grep -c "the run goes on, and tries again later" stderr)" = 1 ] || is_wrong "$fills: not said once"
  done
  report
fi

begin "a pipe that breaks, SIGPIPE, SIGHUP"
cat > talk.lua <<'LUA'
for i = 1, 3000 do print("a line that somebody may not read", i) end
dofile "run.lua"
for i = 1, 3000 do print("a line that somebody may not read", i) end
LUA
for lines in $([ "$length" = long ] && seq 0 200 6000 || echo 0 1 3000); do
  afresh
  tried=$((tried + 1))
  { status=0; timeout -k 5 120 "${bmsim[@]}" talk.lua 2> stderr || status=$?; echo $status > status; } |
    head -n "$lines" > stdout
  status=$(cat status)
  judge "$status"
  [ "$status" = 0 ] || [ "$status" = 1 ] || is_wrong "$lines lines: status $status"
  numbers | cmp -s - whole || is_lost "$lines lines: results are lost"
done
while [ $tried -lt "$(many 8 131)" ]; do
  afresh
  tried=$((tried + 1)) status=0
  signal=$([ $((tried % 2)) = 0 ] && echo HUP || echo PIPE)
  "${bmsim[@]}" --checkpoint kept run.lua > stdout 2> stderr &
  sleep 0.$((5 + RANDOM % 40 / 10))
  kill -$signal $! 2> /dev/null
  wait $! 2> /dev/null || status=$?
  judge $status
  [ $status = 0 ] || { [ $status = 75 ] && [ $signal = HUP ]; } || is_wrong "SIG$signal: status $status"
  status=0
  run --checkpoint kept run.lua || status=$?
  is_whole "taken on after SIG$signal" $status
done
report

begin "results of many points"
points=$(many 20000 1000000)
cat > many.lua <<'LUA'
local bm = require "bmsim"
local axis = {}
for i = 1, bm.args.points do axis[i] = i / bm.args.points end
bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, sweep = { { "force", axis } }, paths = 16, dt = 0.5,
  time = 2, transient = 0, check_step = false, observe = { "velocity", "diffusion", bm.observe.moments { count = 8 } },
}:write "many.nc":write "many.csv"
LUA
tried=1 status=0
timeout -k 5 540 "${bmsim[@]}" -D points="$points" many.lua > stdout 2> stderr || status=$?
judge $status
[ $status = 0 ] || is_wrong "status $status"
"$program" export --csv many.nc -o many.tsv 2> stderr || is_wrong "it cannot be exported"
for file in many.csv many.tsv; do
  [ "$(grep -vc '^#' $file)" = $((points + 1)) ] || is_lost "$(grep -vc '^#' $file) lines in $file"
done
diff -q <(grep -v '^#' many.csv) <(grep -v '^#' many.tsv | tr '\t' ,) > /dev/null || is_wrong "two files differ"
"$program" show many.nc > stdout 2> stderr || is_wrong "it cannot be shown"
sizes=$(du -m --apparent-size many.nc many.csv | tr '\t\n' '  ')
report

if [ -n "${BMSIM_BEFORE:-}" ]; then
  begin "a journal of another build is taken on"
  while [ $tried -lt "$(many 4 40)" ]; do
    afresh
    tried=$((tried + 1)) status=0
    "$BMSIM_BEFORE" --quiet --threads 1 --device cpu --checkpoint kept --checkpoint-every 0.02 run.lua \
      > stdout 2> stderr &
    sleep 0.$((1 + RANDOM % 9))
    kill -KILL $! 2> /dev/null
    wait $! 2> /dev/null
    rm -f "${files[@]}"
    run --checkpoint kept run.lua || status=$?
    judge $status
    is_whole "taken on" $status
    ! grep -q checkpoint: stderr || is_wrong "something of it is not taken"
  done
  report
fi
echo "files of $points points, in MB: $sizes"
[ $total = 0 ]
