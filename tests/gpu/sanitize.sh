#!/usr/bin/env bash
# sanitize.sh BMSIM [LOGS]: every kind of kernel, in both precisions, under the tools of compute-sanitizer, on a GPU.
# Prints a table. Any error, hazard, unwritten word or failed call of the driver is a fault. LOGS keeps what they said.
set -euo pipefail
program=$(realpath "$1") logs=${2:-$(mktemp -d)} here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$logs"
export BMSIM_CUDA_FLAGS=-lineinfo XDG_CACHE_HOME=$logs/cache
failed=0

kinds() { "$@" "$program" --quiet --device cuda --precision "$precision" "$here/../kernels/kinds.lua"; }
# How many faults the log of a tool names; "?" if it did not come to its end.
faults() {
  sed -nE -e 's/.*ERROR SUMMARY: ([0-9]+) error.*/\1/p' -e 's/.*RACECHECK SUMMARY: ([0-9]+) hazard.*/\1/p' "$1" |
    tail -n 1 | grep . || echo "?"
}

echo "| tool | precision | faults | numbers as without | seconds |"
echo "|---|---|---|---|---|"
for precision in single double; do
  kinds > "$logs/wanted.$precision" 2> "$logs/stderr"  # compiles all kernels, which tools would slow down
  for tool in memcheck initcheck synccheck racecheck; do
    options=(--tool "$tool" --log-file "$logs/$tool.$precision.log" --print-limit 100000)
    [ "$tool" = memcheck ] && options+=(--report-api-errors all)
    [ "$tool" = racecheck ] && options+=(--racecheck-report all --print-level info)
    SECONDS=0 same=yes
    kinds compute-sanitizer "${options[@]}" > "$logs/numbers" 2> "$logs/stderr" || same=NO
    cmp -s "$logs/numbers" "$logs/wanted.$precision" || same=NO
    found=$(faults "$logs/$tool.$precision.log")
    [ "$found" = 0 ] && [ "$same" = yes ] || failed=1
    echo "| $tool | $precision | $found | $same | $SECONDS |"
  done
done
exit $failed
