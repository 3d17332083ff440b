#!/bin/bash
# run.sh BUILD GUIDE: does what the plugin guide says, from an install alone: installs BUILD into a temporary prefix,
# takes the source file, the CMake lines and the script out of GUIDE, builds the plugin outside of the tree, checks it,
# and runs the script; then does the same with what `bmsim plugin new` writes for each kind.
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

# check_output FILE: the script's table: six rows of numbers, the velocity along the force and clear of its error.
check_output() {
  awk 'NR == 1 { if ($0 !~ /^ *peyrard\.r +force +velocity +velocity_err$/) bad = 1; next }
    { for (i = 1; i <= 4; i++) if ($i !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) bad = 1
      if (NF != 4 || $2 * $3 <= 0 || $3 * $3 < 25 * $4 * $4) bad = 1 }
    END { exit bad || NR != 7 }' "$1" || { cat "$1" >&2; fail "$1 is not the table of the guide"; }
}

# check_plugin LIBRARY: `plugin check` finds nothing, and prints what the guide says; what CUDA's compiler does depends
# on the machine.
check_plugin() {
  "$prefix/bin/bmsim" plugin check "$1" > found || { cat found >&2; fail "plugin check $1: exit status $?"; }
  diff <(grep -v CUDA expected) <(grep -v CUDA found) >&2 || fail "plugin check $1 differs from the guide"
  [ "$(grep -c CUDA found)" = 2 ] || { cat found >&2; fail "nothing is said of CUDA"; }
}

"$cmake" --install "$build" --prefix "$prefix" > "$work/install.log" ||
  { cat "$work/install.log" >&2; fail "no install"; }
grep -qF '(noise-poisson.md)' "$prefix/share/doc/bmsim/reference/plugins/index.md" ||
  fail "the reference is not installed"
mkdir "$work/peyrard"
cd "$work/peyrard"
block cpp peyrard.cc
block cmake CMakeLists.txt
block lua peyrard.lua
block check expected

"$cmake" -B build -DCMAKE_PREFIX_PATH="$prefix" > log 2>&1 && "$cmake" --build build >> log 2>&1 ||
  { cat log >&2; fail "the plugin cannot be built with CMake"; }
"$prefix/bin/bmsim" --plugin-path build/peyrard.so peyrard.lua > by_cmake || fail "exit status $?"
check_output by_cmake
check_plugin build/peyrard.so

"$prefix/bin/bmsim" --plugin-path build/peyrard.so plugin describe peyrard > description || fail "exit status $?"
for text in "potential.peyrard 1.0" "(1 - c) / [2 (1 + r^2 + 2 r c)]" "periodic, smooth"; do
  grep -qF "$text" description || { cat description >&2; fail "'$text' is not in the description"; }
done

line=$(grep -m 1 '^c++ .* -o peyrard\.so$' "$guide") || fail "the guide has no line that compiles without CMake"
eval "${line//PREFIX/\"\$prefix\"}" || fail "the plugin cannot be built without CMake"
"$prefix/bin/bmsim" --plugin-path peyrard.so peyrard.lua > by_hand || fail "exit status $?"
cmp by_cmake by_hand || fail "the two builds differ in their results"

# The wrong sign that the guide shows.
sed 's/push, -pi/push, pi/' peyrard.cc > wrong.cc
cmp -s peyrard.cc wrong.cc && fail "there is no sign to change"
c++ -std=c++20 -O2 -shared -fPIC -I "$prefix/include" wrong.cc -o wrong.so
! "$prefix/bin/bmsim" plugin check wrong.so > found || fail "a wrong sign passes"
grep -qxF "$(grep -m 1 '^force: PROBLEM: ' "$guide")" found ||
  { cat found >&2; fail "the guide shows another problem"; }

cd "$work"
for kind in noise potential drive; do
  "$prefix/bin/bmsim" plugin new $kind my_$kind > log || fail "plugin new $kind: exit status $?"
  "$cmake" -S my_$kind -B my_$kind/build -DCMAKE_PREFIX_PATH="$prefix" > log 2>&1 &&
    "$cmake" --build my_$kind/build >> log 2>&1 || { cat log >&2; fail "the skeleton of a $kind cannot be built"; }
  (cd my_$kind/build && "${cmake%cmake}ctest" --output-on-failure > ../log) ||
    { cat my_$kind/log >&2; fail "the skeleton of a $kind fails its tests"; }
  grep -q '100% tests passed, 0 tests failed out of 2' my_$kind/log || fail "the skeleton of a $kind has not two tests"
done

# A noise of a user that says what it is: methods without steps and theories take it as they take the one that it is a
# copy of. One that says something else is found.
mkdir "$work/telegraph"
cd "$work/telegraph"
noise=$(dirname "$0")/../../../plugins/noise/dichotomous.cc
sed 's/id = "dichotomous"/id = "telegraph"/' "$noise" > telegraph.cc
sed 's/state == 0 ? v.mu_a : v.mu_b/v.mu_a/' telegraph.cc > wrong.cc
for name in telegraph wrong; do
  c++ -std=c++20 -O2 -shared -fPIC -I "$prefix/include" $name.cc -o $name.so
done
cat > walk.lua << 'LUA'
local bm = require "bmsim"
local function run(noise)
  local model = bm.overdamped { potential = bm.potential.piecewise_linear { k = 0.3 }, noise = {
    bm.noise.gaussian { D = 0.1 }, bm.noise[noise] { Fa = 2, Fb = 1, mu_a = 3, mu_b = 1.5 } } }
  local r = bm.run { model = model, paths = 2048, time = 100, seed = 3 }
  assert(r.info.method == "exact", r.info.method)
  local exact = bm.theory.master { model = model }
  assert(math.abs(r:column("velocity")[1] - exact) < 4 * r:column("velocity_err")[1],
    ("%g(%g), exact %g"):format(r:column("velocity")[1], r:column("velocity_err")[1], exact))
  return ("%.17g %.17g"):format(r:column("velocity")[1], exact)
end
assert(run "telegraph" == run "dichotomous", "another noise")
LUA
"$prefix/bin/bmsim" --quiet --plugin-path telegraph.so walk.lua || fail "a noise that says what it is: exit status $?"
"$prefix/bin/bmsim" plugin check telegraph.so > found || { cat found >&2; fail "telegraph: exit status $?"; }
grep -qx "chain: ok" found || { cat found >&2; fail "the chain is not checked"; }
! "$prefix/bin/bmsim" plugin check wrong.so > found || fail "a wrong chain passes"
grep -q "^chain: PROBLEM: it must have the \(mean\|intensity\) .* declares, got " found ||
  { cat found >&2; fail "no word of the wrong chain"; }
