#!/bin/bash
# run_errors.sh PROGRAM TABLE [CASE]: runs the cases of errors/TABLE.cases, or one, and says what is not as expected.
#
#   # ...                          a comment; blank lines are for the eye, too
#   === every script begins with   what follows are the first lines of all scripts from here on
#   === NAME, status N             a case: the script NAME.lua, whose further lines follow, ends with this status
#   === NAME, status N, without L  the same, skipped where the library L can be loaded
#   $ bmsim ...                    the command line, if it is not bmsim NAME.lua: of this case, or of all from here on
#                                  if it is said of every script; PROBES are the plugins of tests/plugin
#   > ...                          a line of stderr, in which WORK is the working directory
#   > ... \                        one that goes on, after a space, with the next of these lines
#
# A case without lines of Lua has no script. stderr must be exactly as it stands here, stdout empty, and no file left.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
table=$2
only=${3:-}
PROBES=${PROBES:-$(dirname "$program")/../tests/plugin}
cases=$(mktemp -d)
trap 'rm -rf "$cases"' EXIT

# Takes the table apart: names, and of every case NAME.status, .library, .args, .expected, .lua.
awk -v into="$cases" '
  BEGIN { all = "NAME.lua" }
  function wrong(what) { print "line " NR ": " what > "/dev/stderr"; failed = 1; exit 1 }
  function finish() {
    if (name == "") return
    if (!said) wrong("the case " name ", before this line, says nothing on stderr")
    gsub("NAME", name, args)
    print args > (into "/" name ".args")
    if (script != "") printf "%s", script > (into "/" name ".lua")
    print name > (into "/names")
    name = ""
  }
  /^$/ || /^#/ { next }
  /^=== every script begins with$/ { finish(); first = ""; all = "NAME.lua"; opening = 1; next }
  /^=== [a-z_0-9]+, status [0-9]+(, without [^ ]+)?$/ {
    finish()
    name = substr($2, 1, length($2) - 1)
    if (name in known) wrong("a second case " name)
    known[name] = 1
    opening = said = goes_on = 0
    script = first
    sub(/,$/, "", $4)
    print $4 > (into "/" name ".status")
    print $6 > (into "/" name ".library")
    args = all
    next
  }
  /^===/ { wrong("no such heading: " $0) }
  /^\$ bmsim / { if (opening) all = substr($0, 9); else args = substr($0, 9); next }
  opening { first = first $0 "\n"; next }
  name == "" { wrong("a line before the first case: " $0) }
  /^>/ {
    said = 1
    line = substr($0, 3)
    goes_on = sub(/ \\$/, " ", line)
    printf goes_on ? "%s" : "%s\n", line > (into "/" name ".expected")
    next
  }
  said { wrong("Lua after stderr: " $0) }
  { script = script $0 "\n" }
  END { if (!failed) finish() }' "$here/errors/$table.cases" || { echo "$table.cases: cannot be read" >&2; exit 2; }

# run CASE: in a directory of its own; 0 as expected, 1 not, 77 skipped.
run() (
  case=$cases/$1
  . "$here/workplace.sh"
  library=$(< "$case.library")
  if [ -n "$library" ] && echo "require('ffi').load('$library')" | "$program" - 2> "$work.stderr"; then
    echo "$1: skipped: this machine has $library"
    exit 77
  fi
  if [ -e "$case.lua" ]; then cp "$case.lua" .; fi
  ls -A > "$work.before"
  status=0
  args=$(sed "s|PROBES|$PROBES|g" "$case.args")
  # shellcheck disable=SC2086 # args is a list of words
  "$program" $args > "$work.stdout" 2> "$work.stderr" < /dev/null || status=$?
  ls -A > "$work.after"
  sed -i "s|$work|WORK|g" "$work.stderr"
  {
    [ "$status" = "$(< "$case.status")" ] || echo "exit status $status, expected $(< "$case.status")"
    diff -u --label expected --label got "$case.expected" "$work.stderr" || true
    diff -u --label "files before" --label "files after" "$work.before" "$work.after" || true
    if [ -s "$work.stdout" ]; then echo "on stdout:"; cat "$work.stdout"; fi
  } > "$work.wrong"
  [ -s "$work.wrong" ] || exit 0
  echo "=== $1"
  cat "$work.wrong"
  exit 1
)

passed=0 failed=0 skipped=0
while read -r name; do
  [ -z "$only" ] || [ "$name" = "$only" ] || continue
  result=0
  run "$name" || result=$?
  case $result in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
  esac
done < "$cases/names"
echo "$table: $passed as expected, $failed not, $skipped skipped"
[ "$failed" = 0 ] || exit 1
[ "$passed" != 0 ] || [ "$skipped" = 0 ] || exit 77
[ "$passed" != 0 ] || { echo "$table.cases has no case $only" >&2; exit 2; }
