#!/usr/bin/env bash
# test_assemble.sh PROGRAM: docs/validation.md's generator on two small tests. A row, a number in a line, a table and
# the summary are filled in; a failing row is shown as failing; what is missing is an error that names it.
set -eu
bmsim=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work
unset BMSIM_PLUGIN_PATH

fail() { echo "$*" >&2; exit 1; }
has() { grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "'$2' is not in $1"; }; }

echo '// Drift of a |free| particle.' >test_drift.cc
printf '// %s\n' 'Heat,' 'at rest.' '' 'Held to: ⟨v²⟩ = T/m,' 'twice' >test_heat.cc
printf '#include <cmath>\n// Held to: nothing\n' >>test_heat.cc
printf '%s\t' drift z 'a force' 'F = 2, D = 1' run.velocity 2.0011 0.0005 2 0.001 >rows
echo pass >>rows
printf '%s\t' drift z 'a force' 'F = 2.5, D = 1' run.velocity 2.501 0.00052 2.5 0.001 >>rows
echo pass >>rows
printf 'drift\tend\t\t\t\t5\t0\t1\t0\tpass\n' >>rows
printf 'heat\tnear\tMaxwell\t\tv2\t-0.25\tnan\t-0.25\t1e-3\tpass\n' >>rows
printf 'heat\tend\t\t\t\t1\t0\t1\t0\tpass\n' >>rows
printf '%s\n' '' '<!-- table: small -->' 'A caption.' '' '| a |' '|---|' '| 1 |' '' \
  '<!-- table: other -->' '| b |' >lab.md
printf '%s\n' '# Page' '@header' 'Drift: {{drift: force; F = 2}}.' '' '| what | exact | measured | z |' \
  '|---|---|---|---|' '| v | @drift: a force; F = 2; D = 1 |' '| T | @heat: Maxwell |' '' '@table small' '' \
  '@laboratory lab' '' '@summary' '' '@failures' >template

assemble() {
  "$bmsim" -D template=template -D rows=rows -D tables=lab.md -D sources=. -D tests="${tests:-physics_drift heat}" \
    -D version=0.1.0 -D date=today -D machine=here -D out=page.md "$@" "$here/assemble.lua" >stdout 2>stderr
}
refuses() {
  if assemble; then fail "not refused: $1"; fi
  has stderr "validation: $1"
}

assemble || { cat stderr >&2; fail "exit status $?"; }
has page.md 'Version 0.1.0, today, here. 3 numbers were compared in 2 tests; none fails.'
has page.md 'Drift: 2.00110 ± 0.00050.'
has page.md '| v | 2 | 2.00110 ± 0.00050 | 2.2 |'
has page.md '| T | −0.25 | −0.25 | 1.0e−03 allowed |'
has page.md '| `drift` | Drift of a \|free\| particle | 2 | 2.2 | 2.1 | 5 |'
has page.md '| `heat` | ⟨v²⟩ = T/m, twice | 1 |  |  | 1 |'
has page.md 'No check fails.'
[ "$(grep -c '^A caption.$' page.md)" = 2 ] || fail 'a table by name and all of a file'
[ "$(grep -c '^| b |$' page.md)" = 1 ] || fail 'all tables of a file'
assemble -D check=page.md || { cat stderr >&2; fail "the page is not what was assembled"; }

# A later run of one test replaces its rows; what fails is shown.
printf '%s\t' drift z 'a force' 'F = 2, D = 1' run.velocity 2.0031 0.0005 2 0.001 >>rows
echo fail >>rows
printf 'drift\tend\t\t\t\t2\t1\t1\t1\tfail\n' >>rows
assemble || { cat stderr >&2; fail "exit status $?"; }
has page.md '2 numbers were compared in 2 tests; **1 FAILS**'
has page.md '| v | 2 | 2.00310 ± 0.00050 | 6.2 **FAILS** |'
has page.md 'Drift: 2.00310 ± 0.00050 **FAILS**.'
has page.md '| 1 | 6.2 | 6.2 | **1 of 2 FAILS** |'
has page.md '- `drift`, a force (F = 2, D = 1): `run.velocity` is 2.00310 ± 0.00050, exact 2: 6.2 **FAILS**'

# The page against its template and the tests.
sed -i '/A caption/d; s/^Drift: /Drift = /' page.md
! assemble -D check=page.md || fail 'a line of the template that is not there'
has stderr 'validation: page.md lacks line 3 of the template; ./bootstrap validation writes it anew: Drift: {{'
cp template page.md
! assemble -D check=page.md || fail 'a page that is not filled in'
assemble
tests="heat drift levy"
! assemble -D check=page.md || fail 'a test without a row'
has stderr "validation: page.md has no row of the test 'levy'"
tests=

echo '| x | @drift: a force; F = 2.5 |' >>template
refuses "0 rows are 'drift: a force; F = 2.5 ', expected one"
sed -i '$d' template
echo '| x | @heat: |' >>template
sed -i 's/@heat: |/@heat: T;w |/' template
refuses "0 rows are 'heat: T;w ', expected one"
sed -i '$d' template
tests="heat drift levy"
echo '// Flights.' >test_levy.cc
refuses "test 'levy' has no rows: run it"
tests=
echo '@table big' >>template
refuses "the laboratory has no table 'big'"
sed -i '$d' template
printf 'heat\tnear\tMaxwell\t\tv2\t0.25\tnan\t0.25\t1e-3\tpass\n' >>rows
refuses "test 'heat' did not run to its end"
