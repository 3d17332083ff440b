#!/bin/bash
# run.sh BUILD GUIDE: does what the plugin guide says, from an install alone: installs BUILD into a temporary prefix, takes
# the source file, the CMake lines and the script out of GUIDE, builds the plugin outside of the tree and runs the script.
# $CMAKE: the cmake to use.
set -euo pipefail
build=$1
guide=$2
cmake=${CMAKE:-cmake}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work/home" XDG_CONFIG_HOME="$work/config" XDG_DATA_HOME="$work/data" XDG_CACHE_HOME="$work/cache"
unset BMSIM_PLUGIN_PATH
prefix=$work/prefix

fail() { echo "guide: $*" >&2; exit 1; }

# block LANGUAGE FILE: the one fenced block of that language in the guide.
block() {
  [ "$(grep -cx "\`\`\`$1" "$guide")" = 1 ] || fail "the guide must have one block \`\`\`$1"
  awk -v open="\`\`\`$1" '$0 == "```" { on = 0 } on { print } $0 == open { on = 1 }' "$guide" > "$2"
  [ -s "$2" ] || fail "the block $1 is empty"
}

# check_output FILE: the script's table: six rows of numbers, the current against b and clear of its error.
check_output() {
  awk 'NR == 1 { if ($0 !~ /^ *ratchet\.b +cosine\.amplitude +velocity +velocity_err$/) bad = 1; next }
    { for (i = 1; i <= 4; i++) if ($i !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) bad = 1
      if (NF != 4 || $1 * $3 >= 0 || $3 * $3 < 25 * $4 * $4) bad = 1 }
    END { exit bad || NR != 7 }' "$1" || { cat "$1" >&2; fail "$1 is not the table of the guide"; }
}

"$cmake" --install "$build" --prefix "$prefix" > "$work/install.log" || { cat "$work/install.log" >&2; fail "no install"; }
mkdir "$work/ratchet"
cd "$work/ratchet"
block cpp ratchet.cc
block cmake CMakeLists.txt
block lua ratchet.lua

"$cmake" -B build -DCMAKE_PREFIX_PATH="$prefix" > log 2>&1 && "$cmake" --build build >> log 2>&1 ||
  { cat log >&2; fail "the plugin cannot be built with CMake"; }
"$prefix/bin/bmsim" --plugin-path build/ratchet.so ratchet.lua > by_cmake || fail "exit status $?"
check_output by_cmake

"$prefix/bin/bmsim" --plugin-path build/ratchet.so plugin describe ratchet > description || fail "exit status $?"
for text in "potential.ratchet 1.0" "V0 [sin(2 pi x/L) + b sin(4 pi x/L + phi)]" "periodic, smooth"; do
  grep -qF "$text" description || { cat description >&2; fail "'$text' is not in the description"; }
done

line=$(grep -m 1 '^c++ .* -o ratchet\.so$' "$guide") || fail "the guide has no line that compiles without CMake"
eval "${line//PREFIX/\"\$prefix\"}" || fail "the plugin cannot be built without CMake"
"$prefix/bin/bmsim" --plugin-path ratchet.so ratchet.lua > by_hand || fail "exit status $?"
cmp by_cmake by_hand || fail "the two builds differ in their results"
