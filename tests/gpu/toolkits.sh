#!/usr/bin/env bash
# NVRTC of several toolkits, from wheels of PyPI, without a GPU.
#   toolkits.sh fetch DIRECTORY VERSION...       each becomes DIRECTORY/VERSION/libnvrtc.so with what it needs
#   toolkits.sh table TEST_NVRTC DIRECTORY       runs the test with each that is there; prints what kernels take
set -euo pipefail

fetch() {
  local directory=$1 version wheel package
  shift
  for version in "$@"; do
    [ -e "$directory/$version/libnvrtc.so" ] && continue
    rm -rf "${directory:?}/$version.part"
    mkdir -p "$directory/$version.part"
    package=nvidia-cuda-nvrtc
    [ "${version%%.*}" -ge 13 ] || package=nvidia-cuda-nvrtc-cu${version%%.*}
    python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$directory/$version.part" "$package==$version"
    wheel=("$directory/$version.part"/*.whl)
    python3 -m zipfile -e "${wheel[0]}" "$directory/$version.part/wheel"
    find "$directory/$version.part/wheel" -name 'libnvrtc*.so*' -exec mv {} "$directory/$version.part/" \;
    rm -r "$directory/$version.part/wheel" "${wheel[0]}"
    ln -s "$(basename "$(find "$directory/$version.part" -name 'libnvrtc.so.*' | head -n 1)")" \
      "$directory/$version.part/libnvrtc.so"
    mv "$directory/$version.part" "$directory/$version"
  done
}

table() {
  local library version rows
  rows=$(mktemp)
  echo "| NVRTC | | kernels | registers, mean | with a stack | of these by spills |"
  echo "|---|---|---|---|---|---|"
  for library in "$2"/*/libnvrtc.so; do
    version=$(basename "$(dirname "$library")")
    : > "$rows"
    BMSIM_KERNEL_TABLE=$rows BMSIM_NVRTC=$library "$1" > "$rows.log" 2>&1 || { cat "$rows.log" >&2; return 1; }
    awk -v version="$version" '
      { n[$1]++; registers[$1] += $2; stack[$1] += $3 > 0; spills[$1] += $4 > 0 }
      END { for (a in n) printf "| %s | sm_%s | %d | %.0f | %d | %d |\n", version, a, n[a], registers[a] / n[a],
                         stack[a], spills[a] }' "$rows" | sort -V
  done
}

case ${1:-} in
  fetch | table) "$@" ;;
  *) sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;;
esac
