#!/usr/bin/env bash
# compilers.sh PROGRAM [COMPILER...]: runs kinds.lua with kernels by every compiler that is installed, or by these, for
# every length of vectors that the machine has, or for those of BMSIM_VECTORS="256 128". All must print what the first
# prints. Prints a table.
set -uo pipefail
program=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
compilers=("$@")
if [ ${#compilers[@]} -eq 0 ]; then
  seen=" "  # a compiler that has two names is there once
  for name in g++{,-1{1..9}} clang++{,-1{4..9},-2{0..9}}; do
    file=$(readlink -f "$(command -v $name)") && [ -n "$file" ] || continue
    [[ $seen = *" $file "* ]] && continue
    seen+="$file "
    compilers+=("$name")
  done
fi
vectors=(128)
grep -qw fma /proc/cpuinfo && vectors=(256 128)
grep -qw avx512dq /proc/cpuinfo && vectors=(512 256 128)
if [ -n "${BMSIM_VECTORS:-}" ]; then
  for bits in $BMSIM_VECTORS; do
    [[ " ${vectors[*]} " = *" $bits "* ]] || { echo "no vectors of $bits bits here: ${vectors[*]}" >&2; exit 2; }
  done
  read -ra vectors <<< "$BMSIM_VECTORS"
fi
flags() {
  case $1 in
    512) echo "" ;;
    256) echo "-mno-avx512f" ;;
    128) [ "$(uname -m)" = x86_64 ] && echo "-mno-avx512f -mno-avx2 -mno-fma" ;;
  esac
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
echo "| compiler | bits of a vector | same numbers | seconds |"
echo "|---|---|---|---|"
for compiler in "${compilers[@]}"; do
  first=$("$compiler" --version | head -n 1)
  name="$(grep -oE '^[A-Za-z+]+' <<< "$first") $(grep -oE '[0-9]+\.[0-9]+\.[0-9]+' <<< "$first" | head -n 1)"
  for bits in "${vectors[@]}"; do
    SECONDS=0
    for precision in single double; do
      BMSIM_KERNEL_GROUP=1 BMSIM_CXX=$compiler BMSIM_KERNEL_FLAGS=$(flags "$bits") "$program" --device cpu \
        --precision "$precision" "$here/kinds.lua" 2> "$work/stderr"
    done > "$work/numbers"
    [ -e "$work/wanted" ] || cp "$work/numbers" "$work/wanted"
    same=yes
    if ! cmp -s "$work/numbers" "$work/wanted" || [ "$(grep -c . "$work/numbers")" -lt 100 ]; then
      same=NO failed=1
      diff "$work/numbers" "$work/wanted" | cut -c 1-200 | head -n 4 >&2
      head -n 4 "$work/stderr" >&2
    fi
    echo "| $name | $bits | $same | $SECONDS |"
  done
done
exit $failed
