#!/bin/bash
# clock.sh PROGRAM ADVANCING_CLOCK short|long: a day and more by the clock, which is advanced: runs whose lines, states
# and estimates come in hours, that go on after a day of standstill, and an explorer that is asked a day later. Prints a
# table (table.sh), and ends with status 1 if anything was lost, wrong or hung.
. "$(dirname "$0")/table.sh"
export TMPDIR=$elsewhere
advancing_clock=$failing_io
bmsim=("$program" --threads 1 --device cpu)
afresh() { rm -rf kept day.csv; }
cat > day.lua << 'LUA'
local bm = require "bmsim"
local result = bm.run {
  model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }, check_step = false,
  paths = 2048, time = 1000, dt = 0.002, sweep = { { "force", bm.linspace(0, 1, 8) } }, chunk = 4000, memory = 5e4,
  output = "day.csv", overwrite = true,
}
print(result)
print("seconds", result.info.seconds)
LUA
numbers() { grep -v '^#' day.csv 2> /dev/null; }
timeout 120 "${bmsim[@]}" --quiet day.lua > stdout 2> stderr || { cat stderr >&2; exit 1; }
numbers > whole
# by_clock OPTION...: after a second its clock goes $rate times as fast, and is $jump seconds ahead.
by_clock() {
  LD_PRELOAD=$advancing_clock CLOCK_AFTER=1 CLOCK_RATE=${rate:-30000} CLOCK_JUMP=${jump:-0} \
    timeout -k 5 120 "${bmsim[@]}" "$@" day.lua > stdout 2> stderr
}
head_of_table

begin "a run of more than a day"
while [ $tried -lt "$(many 1 10)" ]; do
  afresh
  tried=$((tried + 1)) status=0
  by_clock --progress --checkpoint kept --checkpoint-every 3600 || status=$?
  judge $status
  [ $status = 0 ] && numbers | cmp -s - whole || is_wrong "status $status, or other numbers"
  seconds=$(sed -n 's/^seconds\t//p' stdout)
  awk -v s="$seconds" 'BEGIN { exit !(s > 40000) }' || is_wrong "only $seconds s have passed"
  grep -qE ", [0-9.]+ (h|days)" stdout || is_wrong "the result does not say its time in hours"
  grep -qE " [0-9.]+ (h|days) left" stderr || is_wrong "no line says how many hours are left"
  lines=$(grep -c ' left' stderr)
  # every ten minutes
  [ "$lines" -le $((60 + 250 + ${seconds%.*} / 600)) ] || is_wrong "$lines lines of progress in $seconds s"
done
report

begin "interrupted after hours, and taken on"
while [ $tried -lt "$(many 1 10)" ]; do
  afresh
  tried=$((tried + 1)) status=0
  by_clock --quiet --checkpoint kept --checkpoint-every 3600 &
  sleep 2
  pkill -TERM -P $! 2> /dev/null
  wait $! || status=$?
  [ $status = 75 ] || is_wrong "status $status"
  "$program" checkpoint kept > stdout 2>&1
  grep -qE ", [0-9.]+ (min|h|days) left at 20" stdout || is_wrong "the checkpoint says nothing of hours: $(cat stdout)"
  status=0
  timeout -k 5 120 "${bmsim[@]}" --quiet --checkpoint kept day.lua > stdout 2> stderr || status=$?
  judge $status
  [ $status = 0 ] && numbers | cmp -s - whole || is_wrong "status $status, or other numbers"
done
report

begin "a result of hours whose file exists"
afresh
sed 's/, overwrite = true//; s/output = "day.csv"/output = nil/; s/^print(result)/result:write "taken.nc"/' day.lua \
  > taken.lua
tried=1 status=0
touch taken.nc
LD_PRELOAD=$advancing_clock CLOCK_AFTER=1 CLOCK_RATE=30000 timeout -k 5 120 "${bmsim[@]}" --quiet taken.lua \
  > stdout 2> stderr || status=$?
judge $status
[ $status = 1 ] && [ "$(echo ./*.nc)" = "./taken.2.nc ./taken.nc" ] ||
  is_wrong "status $status, and it is not kept once: $(echo ./*.nc)"
rm -f ./*.nc
report

begin "a clock that is suddenly a day, or a century, ahead"
for jump in 86400 3e9; do
  afresh
  tried=$((tried + 1)) status=0
  rate=1 jump=$jump by_clock --progress --checkpoint kept || status=$?
  judge $status
  [ $status = 0 ] && numbers | cmp -s - whole || is_wrong "status $status, or other numbers"
  ! grep -qE 'nan|inf|-[0-9.]+ (s|min|h|days) left' stderr || is_wrong "a line of progress is no time"
done
report
[ $total = 0 ]
