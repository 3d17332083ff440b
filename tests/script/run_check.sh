#!/bin/bash
# run_check.sh PROGRAM NAME: runs checks/NAME.sh, or the block of examples.sh under the heading NAME, with
# $bmsim the program, $build its build folder, $EXAMPLES the example scripts, $PROBES the plugins of tests/plugin, and
# the functions below.
bmsim=$1
name=$2
build=$(dirname "$(dirname "$(realpath "$bmsim")")")
. "$(dirname "$0")/workplace.sh"

fail() { echo "$name: $*" >&2; exit 1; }

# expect_text FILE TEXT: FILE has a line that contains TEXT.
expect_text() { grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "'$2' is not in $1"; }; }

# expect_table FILE ROWS COLUMN...: a CSV of comments, one header row with these columns, ROWS rows of as many numbers.
expect_table() {
  local file=$1 rows=$2 header column
  shift 2
  [ -e "$file" ] || fail "$file was not written"
  header=$(grep -v '^#' "$file" | head -n 1)
  for column in "$@"; do
    case ",$header," in *",$column,"*) ;; *) fail "$file has no column $column: $header" ;; esac
  done
  grep -v '^#' "$file" | tail -n +2 | awk -F, -v columns="$(tr ',' '\n' <<< "$header" | wc -l)" -v rows="$rows" '
    NF != columns { print "row " NR " has " NF " fields, the header " columns; bad = 1 }
    { for (i = 1; i <= NF; i++) if ($i !~ /^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$/) { print "no number: " $i; bad = 1 } }
    END { if (NR != rows) { print NR " rows, expected " rows; bad = 1 }; exit bad }' || fail "$file is no table"
}

# expect_example NAME ROWS COLUMN...: the example runs at reduced size and writes NAME.csv.
expect_example() {
  local example=$1
  shift
  "$bmsim" -D paths=32 -D points=2 -D periods=20 -D plot="$example.gp" "$EXAMPLES/$example.lua" > stdout ||
    fail "exit status $?"
  expect_text "$example.gp" "plot "
  [ -s stdout ] || fail "nothing was printed"
  expect_table "$example.csv" "$@"
  head -n 1 "$example.csv" | grep -q '^# ' || fail "$example.csv does not begin with a comment"
}

# expect_quick NAME ROWS [-D ARGUMENT]... COLUMN...: the example runs in a few seconds, writes the table and the picture
# that it is asked for, and every largest deviation that it prints is at most 4 standard errors. expect_deviation: it
# prints one.
expect_quick() {
  local example=$1 rows=$2 arguments=(-D paths=192 -D points=3) deviation
  shift 2
  while [ "$1" = -D ]; do arguments+=(-D "$2"); shift 2; done
  "$bmsim" "${arguments[@]}" -D output="$example.csv" -D plot="$example.gp" "$EXAMPLES/$example.lua" > stdout ||
    fail "exit status $?"
  expect_text "$example.gp" "plot "
  [ -s stdout ] || fail "nothing was printed"
  expect_table "$example.csv" "$rows" "$@"
  while read -r deviation; do
    awk -v d="$deviation" 'BEGIN { exit !(d >= 0 && d <= 4) }' || { cat stdout >&2; fail "deviates by $deviation"; }
  done < <(sed -n 's/^largest deviation.*: \(.*\) standard errors$/\1/p' stdout)
}
expect_deviation() { expect_quick "$@"; expect_text stdout "largest deviation"; }

if [ -e "$here/checks/$name.sh" ]; then
  . "$here/checks/$name.sh"
else
  block=$(awk -v heading="# $name:" 'index($0, heading) == 1 { on = 1; next } /^# [a-z0-9_]+: / { on = 0 } on' \
    "$here/examples.sh")
  [ -n "$block" ] || fail "no such check"
  eval "$block"
fi
