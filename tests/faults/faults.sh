#!/bin/bash
# faults.sh PROGRAM FAILING_IO short|long: runs with a checkpoint under faults, each then taken on by the same command.
# Prints a table (table.sh), and ends with status 1 if anything was lost, wrong or hung.
. "$(dirname "$0")/table.sh"
cp "$here/run.lua" .
export TMPDIR=$elsewhere
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

bmsim=("$program" --threads 1 --device cpu --checkpoint kept)
often=(--checkpoint-every 0.02)
run() { timeout -k 5 60 "${bmsim[@]}" run.lua > stdout 2> stderr; }
files=(first.csv moments.csv second.csv)
known='kept|run.lua|(first|moments|second)(.2)?.csv|whole.*|stdout|stderr|calls'
numbers() { cat "${files[@]}" 2> /dev/null | grep -v '^#'; }
afresh() { rm -rf kept "${files[@]}" ./*.2.csv; }
now() { date +%s%N; }

next_try() { rm -rf kept; tried=$((tried + 1)); }
# The same command, without a fault, must come to its end, with the numbers of a whole run and no file beside journals.
take_on() {
  local status=0
  rm -f "${files[@]}"
  run || status=$?
  if [ $status = 124 ]; then
    is_hung "hung when taken on"
  elif [ $status != 0 ]; then
    is_lost "taken on: status $status"
  elif ! numbers | cmp -s - whole; then
    is_wrong "another number"
  elif [ -n "$(ls -A kept | grep -v 'journal$')" ] || [ -n "$(ls -A | grep -vxE "$known")" ]; then
    is_lost "left behind: $(ls -A . kept | tr '\n' ' ')"
  fi
}
# A random moment of a run, in seconds.
moment() { awk -v r=$((RANDOM * 32768 + RANDOM)) -v t=$duration 'BEGIN { printf "%.4f", r / 1073741824 * t }'; }
# listens PID: waits until the program has its handler of SIGUSR1, however busy the machine is.
listens() {
  local caught
  while caught=$(sed -n 's/^SigCgt:[[:space:]]*/0x/p' "/proc/$1/status" 2> /dev/null) && [ -n "$caught" ]; do
    ((caught & 1 << 9)) && return
    sleep 0.002
  done
}
# after_a_moment SIGNAL PID...: sends it at a random moment.
after_a_moment() { local signal=$1; shift; sleep "$(moment)"; kill "-$signal" "$@" 2> /dev/null; }

rm -rf kept
run || { cat stderr >&2; exit 1; }  # compiles
afresh
began=$(now)
run || exit 1
duration=$(awk -v a="$began" -v b="$(now)" 'BEGIN { print (b - a) / 1e9 }')
numbers > whole
mv kept whole_kept
[ "$(wc -l < whole)" -gt 20 ] || { echo "the run writes nothing" >&2; exit 1; }

head_of_table

begin "kill -9 at a random moment"
while [ $tried -lt "$(many 50 1000)" ]; do
  [ $((tried % 4)) = 0 ] && rm -rf kept
  "${bmsim[@]}" "${often[@]}" run.lua > stdout 2> stderr &
  after_a_moment KILL $!
  wait $! 2> /dev/null
  tried=$((tried + 1))
  if [ $((tried % 4)) = 0 ]; then take_on; fi
done
report

begin "SIGTERM, SIGINT or SIGUSR1 at a random moment"
signals=(TERM INT USR1)
while [ $tried -lt "$(many 9 300)" ]; do
  next_try
  status=0
  setsid "${bmsim[@]}" run.lua > stdout 2> stderr &
  listens $!  # before that a signal kills
  after_a_moment "${signals[tried % 3]}" $!
  wait $! 2> /dev/null || status=$?
  judge $status
  if [ $status != 0 ] && { [ $status != 75 ] || ! grep -q "the same command goes on" stderr; }; then
    is_wrong "status $status"
  fi
  take_on
done
report

begin "kill -9 of one of three parts that work side by side"
while [ $tried -lt "$(many 5 100)" ]; do
  next_try
  parts=()
  for part in 1 2 3; do
    "${bmsim[@]}" --part $part/3 run.lua > stdout.$part 2>&1 &
    parts+=($!)
  done
  after_a_moment KILL "${parts[tried % 3]}"
  wait "${parts[@]}" 2> /dev/null
  rm -f stdout.*
  take_on
done
report

begin "a second program on the same part"
while [ $tried -lt "$(many 5 100)" ]; do
  next_try
  "${bmsim[@]}" run.lua > stdout.first 2>&1 &
  sleep "$(moment)"
  status=0
  run || status=$?
  judge $status
  [ $status = 0 ] || grep -q "in use by another process" stderr || is_wrong "status $status"
  wait
  rm stdout.first
  take_on
done
report

if mpirun -n 1 "$program" --mpi-check > /dev/null 2>&1; then
  begin "kill -9 of one of three ranks"
  while [ $tried -lt "$(many 3 100)" ]; do
    next_try
    status=0
    timeout -k 5 60 mpirun -n 3 "${bmsim[@]}" "${often[@]}" run.lua \
      > stdout 2> stderr &
    sleep 0.4  # MPI starts
    sleep "$(moment)"
    ranks=($(pgrep -f -- "${bmsim[*]} ${often[*]}" | tail -n 3))
    [ ${#ranks[@]} -gt 0 ] && kill -KILL "${ranks[RANDOM % ${#ranks[@]}]}" 2> /dev/null
    wait $! 2> /dev/null || status=$?
    [ $status = 137 ] || judge $status  # mpirun's own, after a kill
    take_on
  done
  report
fi

# with_fault CALL ERROR [lasts]: a run in which this call fails.
with_fault() {
  timeout -k 5 60 env LD_PRELOAD="$failing_io" FAULT_BELOW="$work" FAULT_AT="$1" FAULT_ERROR="$2" \
    FAULT_COUNT="$work/calls" ${3:+FAULT_LASTS=1} \
    "${bmsim[@]}" "${often[@]}" run.lua > stdout 2> stderr
}
# A run ends well in spite of it, or with a message that names a file; files that it wrote are whole.
expect_message() {
  local status=0 file
  with_fault "$@" || status=$?
  judge $status
  if [ $status != 0 ] && ! grep -qE "kept|first.csv|moments.csv|second.csv" stderr; then
    is_wrong "call $1 ($2): status $status, and no message that names a file"
  fi
  if [ $status = 0 ] && ! numbers | cmp -s - whole; then
    is_wrong "call $1 ($2): another number with status 0"
  fi
  for file in first.csv second.csv; do
    [ ! -e $file ] || grep -v '^#' $file | cmp -s - "whole_$file" && continue
    is_wrong "call $1 ($2): a torn $file"
  done
}
begin "a call that changes files fails"
rm -rf kept
with_fault 0 EIO || { cat stderr >&2; exit 1; }
calls=$(cat calls)
for file in first.csv second.csv; do grep -v '^#' $file > whole_$file; done
[ "$calls" -gt 20 ] || { echo "only $calls calls are seen" >&2; exit 1; }
errors=(ENOSPC EIO EROFS EDQUOT)
for try in $(seq "$(many 24 $((8 * calls)))"); do
  afresh
  tried=$((tried + 1))
  call=$([ "$length" = long ] && echo $((1 + (try - 1) / 8)) || echo $((1 + RANDOM % calls)))
  [ $((try % 2)) = 0 ] && lasts=lasts || lasts=
  expect_message $call "${errors[try / 2 % 4]}" $lasts
  take_on
done
report

begin "a journal that cannot be begun"
for error in EROFS ENOSPC EACCES EDQUOT EIO; do
  for at in 1 2 3 4; do
    afresh
    tried=$((tried + 1))
    status=0
    timeout -k 5 60 env LD_PRELOAD="$failing_io" FAULT_BELOW="$work/kept" FAULT_AT=$at FAULT_ERROR=$error \
      FAULT_LASTS=1 "${bmsim[@]}" run.lua > stdout 2> stderr || status=$?
    judge $status
    [ $status = 0 ] && numbers | cmp -s - whole || is_wrong "call $at ($error): status $status"
    [ "$(grep -c "the run goes on, and tries again later" stderr)" = 1 ] || is_wrong "call $at ($error): not said once"
    take_on
  done
done
report

begin "a write is short, or interrupted"
for try in $(seq "$(many 8 $((2 * calls)))"); do
  afresh
  tried=$((tried + 1))
  call=$([ "$length" = long ] && echo $((1 + (try - 1) / 2)) || echo $((1 + RANDOM % calls)))
  [ $((try % 2)) = 0 ] && error=short || error=EINTR
  expect_message $call $error
  take_on
done
report

journal=$(ls whole_kept/*.journal)
size=$(stat -c %s "$journal")
fresh_journal() { rm -rf kept; cp -r whole_kept kept; }
begin "a journal cut at a random place"
while [ $tried -lt "$(many 10 500)" ]; do
  tried=$((tried + 1))
  fresh_journal
  truncate -s $(((RANDOM * 32768 + RANDOM) % size)) kept/*.journal
  take_on
done
report

begin "a journal cut at the end of a record"
boundaries=($(grep -abo BMSISMJ1 "$journal" | cut -d: -f1))
for try in $(seq "$(many 5 ${#boundaries[@]})"); do
  tried=$((tried + 1))
  fresh_journal
  [ "$length" = long ] && which=$((try - 1)) || which=$((RANDOM % ${#boundaries[@]}))
  truncate -s "${boundaries[which]}" kept/*.journal
  take_on
done
report

begin "a changed bit of a journal"
while [ $tried -lt "$(many 10 500)" ]; do
  tried=$((tried + 1))
  fresh_journal
  at=$(((RANDOM * 32768 + RANDOM) % size))
  byte=$(od -An -tu1 -j $at -N 1 "$journal")
  printf "\\x$(printf %x $((byte ^ (1 << (RANDOM % 8)))))" |
    dd of="$(ls kept/*.journal)" bs=1 seek=$at conv=notrunc 2> /dev/null
  take_on
done
report

[ $total = 0 ]
