#!/usr/bin/env bash
# test_rows.sh PROBE: the rows that checks write, with and without BMSIM_VALIDATION, and where it cannot be written.
set -eu
probe=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { cat rows >&2; echo "$*" >&2; exit 1; }
row() { grep -qxF -- "$(printf '%s\t' rows_probe "${@:1:$#-1}")${*: -1}" rows || fail "no row: $*"; }

! BMSIM_VALIDATION=$work/rows "$probe" >/dev/null || fail 'the probe did not fail'
row z 'numbers with a standard error' 'method = heun' '(Estimate{2.001, 0.0005})' 2.001 0.0005 2 0.001 pass
row z 'numbers with a standard error' 'method = platen' '(Estimate{2.001, 0.0005})' 2.001 0.0005 2 0.001 pass
row z 'numbers with a standard error' 'D = 0.3, "a word" = a word' '(Estimate{2.1, 0.02})' 2.1 0.02 2 0.1 fail
row z 'numbers with a standard error' 'D = 0.3, "a word" = a word' '(Estimate{2.1, 0.2})' 2.1 0.2 2 0.1 fail
row z 'numbers with a standard error' 'D = 0.3, "a word" = a word' '(Estimate{2, std::nan("")})' 2 nan 2 0.1 fail
row near 'numbers without' '' 1.01 1.01 nan 1 0.02 pass
row near 'numbers without' '' 1.03 1.03 nan 1 0.02 fail
row near 'numbers without' '' 'std::nan("")' nan nan 1 0.02 fail
row end '' '' 'checks and failures' 13 6 2 2 fail
[ "$(wc -l <rows)" = 9 ] || fail 'more rows than checks'
! "$probe" >/dev/null || fail 'the probe did not fail'
[ "$(wc -l <rows)" = 9 ] || fail 'rows without BMSIM_VALIDATION'
rm rows && mkdir rows
! BMSIM_VALIDATION=$work/rows "$probe" >/dev/null 2>stderr || exit 1
grep -qF "BMSIM_VALIDATION: cannot write to $work/rows" stderr
