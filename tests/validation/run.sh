#!/usr/bin/env bash
# run.sh BUILD VERSION [REGEX]: runs the tests of physics and the laboratory and writes docs/validation.md. With REGEX
# only the tests whose names match run again; all other numbers are those of the last time, in BUILD/validation.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 version=$2 regex=${3:-}
device=${BMSIM_TEST_DEVICE:-cpu}
export BMSIM_TEST_DEVICE=$device  # tests left to themselves would take a GPU if there is one
models=${BMSIM_MODELS:-40}  # drawn at random; a thousand take some hours of two cores
tables="orders steps defaults checks memory random_models extrapolation"
numbers=$build/validation rows=$build/validation/rows.tsv

# A failing test is no error here: its rows say so.
run_tests() {
  BMSIM_CALIBRATION=all BMSIM_VALIDATION=$PWD/$rows ctest --test-dir "$build" -j "$(nproc)" -L physics -LE gpu "$@" ||
    echo "validation: tests failed; the page shows which" >&2
}
measure() {
  local options=()
  case $1 in
    memory) options=(-D paths=512) ;;
    random_models) options=(-D models="$models") ;;
  esac
  echo "validation: scripts/laboratory/$1.lua"
  "$build/bmsim" --quiet --device "$device" "${options[@]}" "scripts/laboratory/$1.lua" >"$numbers/$1.md.new" \
    2>"$numbers/$1.log" ||
    echo "validation: scripts/laboratory/$1.lua failed: $(tail -n 1 "$numbers/$1.log")" >&2
  mv "$numbers/$1.md.new" "$numbers/$1.md"
}

mkdir -p "$numbers"
if [ -n "$regex" ]; then
  run_tests -R "$regex"
else
  rm -f "$numbers"/*
  run_tests
  for table in $tables; do measure "$table"; done
fi

if [ "$device" = cpu ]; then
  machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
else
  machine=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
fi
"$build/bmsim" -D template=docs/validation.md.in -D rows="$rows" -D tables="$(printf "$numbers/%s.md " $tables)" \
  -D sources=tests/physics -D tests="$(cat "$build/tests/physics/tests.txt")" -D version="$version" \
  -D date="$(date -u +%F)" -D machine="$machine" -D out=docs/validation.md tests/validation/assemble.lua
