#!/usr/bin/env bash
# fuzz.sh PROGRAM SECONDS [NAME...]: runs these fuzzers, or all, for so long altogether, on as many cores as there are,
# and prints a table of what came of it. Inputs that take new ways are kept beside PROGRAM in corpus/NAME, and those
# that find something in findings/NAME. Begins with the inputs of this folder's corpus/NAME. Status 1: something was
# found.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
seconds=$2
shift 2
place=$(dirname "$program")
[ $# -gt 0 ] || mapfile -t names < <(BMSIM_FUZZ=list "$program" 2>&1 | sed -n 's/.*known: //p' | tr ' ' '\n')
[ $# -eq 0 ] || names=("$@")
cores=$(nproc)
rounds=$(((${#names[@]} + cores - 1) / cores))
each=$((seconds / rounds > 0 ? seconds / rounds : 1))
if [ -w /dev/shm ]; then export TMPDIR=/dev/shm; fi # files without a disk

# fuzz NAME: until its time is over; what it finds ends libFuzzer, which then begins again.
fuzz() {
  local name=$1 log=$place/$1.log end=$((SECONDS + each)) options=(-max_len=500) left _
  local found=$place/findings/$name
  rm -rf "$found"
  mkdir -p "$place/corpus/$name" "$found"
  case $name in
    # The leak checker does not see what Lua's objects point to.
    lua_api) options=(-max_len=200 -detect_leaks=0); export ASAN_OPTIONS=detect_leaks=0 ;;
    # Digests protect against damage: libFuzzer would read in comparisons what they must be.
    cache | journal) options+=(-use_cmp=0 -use_memmem=0) ;;
    plugin_file | result_stream) options=(-max_len=4000) ;;
    result_file) options=(-max_len=30000) ;;
  esac
  : > "$log"
  for _ in {1..20}; do
    left=$((end - SECONDS))
    [ "$left" -gt 0 ] || break
    BMSIM_FUZZ=$name "$program" "$place/corpus/$name" "$here/corpus/$name" -max_total_time="$left" \
      -artifact_prefix="$found/" -timeout=30 -rss_limit_mb=3000 -print_final_stats=1 "${options[@]}" \
      >> "$log" 2>&1 && break
  done
}

# row NAME: executions, ways that were taken through the program, inputs that take all of them, findings.
row() {
  local log=$place/$1.log
  awk -v name="$1" -v findings="$(find "$place/findings/$1" -type f | wc -l)" '
    /^stat::number_of_executed_units:/ { runs += $2 }
    / cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:" && $(i + 1) > cov) cov = $(i + 1)
                                          if ($i == "corp:") { split($(i + 1), part, "/"); inputs = part[1] } } }
    END { printf "%-12s %12d %10d %8d %10d\n", name, runs, cov, inputs, findings }' "$log"
}

for name in "${names[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "$cores" ]; do wait -n || true; done
  fuzz "$name" &
done
wait
printf '%-12s %12s %10s %8s %10s\n' fuzzer executions coverage inputs findings
for name in "${names[@]}"; do row "$name"; done
[ -z "$(find "$place/findings" -type f)" ] || {
  for name in "${names[@]}"; do
    [ -z "$(find "$place/findings/$name" -type f)" ] ||
      grep -E "^finding: |^SUMMARY: |runtime error: " "$place/$name.log" || true
    for file in "$place/findings/$name"/*; do
      [ ! -f "$file" ] || echo "$name: ${file##*/}, in base64: $(base64 -w 0 "$file")"
    done
  done >&2
  echo "what was found is in $place/findings: BMSIM_FUZZ=NAME $program FILE does it again" >&2
  exit 1
}
