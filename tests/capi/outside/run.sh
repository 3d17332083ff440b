#!/bin/bash
# run.sh BUILD SOURCES PAGE: installs BUILD into a temporary prefix, moves that to another place, builds the front ends
# of SOURCES and the one of the documentation's PAGE there outside of the tree, and runs them. $CMAKE: the cmake to use.
set -euo pipefail
build=$1
sources=$2
page=$3
cmake=${CMAKE:-cmake}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work/home"

fail() { echo "outside: $*" >&2; exit 1; }

"$cmake" --install "$build" --prefix "$work/staged" > "$work/log" || { cat "$work/log" >&2; fail "no install"; }
mv "$work/staged" "$work/prefix"
cp -r "$sources" "$work/sources"
cd "$work"
"$cmake" -S sources -B build -DCMAKE_PREFIX_PATH="$work/prefix" > log 2>&1 && "$cmake" --build build >> log 2>&1 ||
  { cat log >&2; fail "the front ends cannot be built"; }
build/in_c > table 2> stderr || { cat stderr >&2; fail "in_c: exit status $?"; }
[ "$(wc -l < table)" = 3 ] || { cat table >&2; fail "in_c prints no table of three lines"; }
[ ! -s stderr ] || { cat stderr >&2; fail "in_c writes to stderr"; }
build/in_cpp > version || fail "in_cpp: exit status $?"
grep -q '^[0-9.]*, [0-9]* plugins$' version || { cat version >&2; fail "in_cpp says something else"; }

# block LANGUAGE FILE: the one fenced block of that language in the page.
block() {
  [ "$(grep -cx "\`\`\`$1" "$page")" = 1 ] || fail "the page must have one block \`\`\`$1"
  awk -v open="\`\`\`$1" '$0 == "```" { on = 0 } on { print } $0 == open { on = 1 }' "$page" > "$2"
}
mkdir motor
block c motor/motor.c
block cmake motor/CMakeLists.txt
"$cmake" -S motor -B motor/build -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" \
  > log 2>&1 &&
  "$cmake" --build motor/build >> log 2>&1 || { cat log >&2; fail "the page's program cannot be built"; }
motor/build/motor > table 2> stderr || { cat stderr >&2; fail "the page's program: exit status $?"; }
[ ! -s stderr ] || { cat stderr >&2; fail "the page's program writes to stderr"; }
[ "$(grep -c '^D = [0-9.]*: velocity [0-9.]* +- [0-9.e-]*$' table)" = 3 ] || { cat table >&2; fail "another table"; }

# The same program by pkg-config.
export PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name bmsim.pc)")
read -ra flags <<< "$(pkg-config --cflags --libs bmsim) -Wl,-rpath,$(pkg-config --variable=libdir bmsim)"
cc -Wall -Wextra -Werror motor/motor.c -o by_pkg_config "${flags[@]}" > log 2>&1 ||
  { cat log >&2; fail "the page's program cannot be built by pkg-config"; }
./by_pkg_config > again || fail "the page's program, built by pkg-config: exit status $?"
# Beside the table, a run that takes more than a second shows how much is done.
cmp <(grep '^D' table) <(grep '^D' again) || fail "the page's program says something else by pkg-config"
version=$(pkg-config --modversion bmsim)
"$work/prefix/bin/bmsim" --version | grep -qF "$version" || fail "pkg-config says version $version"
