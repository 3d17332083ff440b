#!/bin/bash
# run_error.sh PROGRAM NAME: runs errors/NAME.lua and compares exit status and stderr with errors/NAME.expected.
# The expected file: "status N"; perhaps "args ..." in place of the script's name, PROBES being the plugins of
# tests/plugin, or "without LIBRARY" for a test that is skipped, with status 77, where there is that library; then
# stderr, with the working directory written as WORK. No file may be left, and nothing may be on stdout.
program=$1
name=$2
. "$(dirname "$0")/workplace.sh"

if [ -e "$here/errors/$name.lua" ]; then cp "$here/errors/$name.lua" .; fi
ls -A > "$work.before"
status=$(sed -n '1s/^status //p' "$here/errors/$name.expected")
args=$(sed -n -e "2s|PROBES|$PROBES|g" -e '2s/^args //p' "$here/errors/$name.expected")
library=$(sed -n '2s/^without //p' "$here/errors/$name.expected")
sed -e '1d' -e '2{/^\(args\|without\) /d}' "$here/errors/$name.expected" > "$work.expected"

if [ -n "$library" ] && echo "require('ffi').load('$library')" | "$program" - 2> "$work.stderr"; then
  echo "skipped: this machine has $library"
  exit 77
fi

got=0
# shellcheck disable=SC2086 # args is a list of words
"$program" ${args:-$name.lua} > "$work.stdout" 2> "$work.stderr" < /dev/null || got=$?
ls -A > "$work.after"
sed -i "s|$work|WORK|g" "$work.stderr"

failed=0
if [ "$got" != "$status" ]; then echo "exit status $got, expected $status"; failed=1; fi
diff -u --label expected --label got "$work.expected" "$work.stderr" || failed=1
diff -u --label "files before" --label "files after" "$work.before" "$work.after" || failed=1
if [ -s "$work.stdout" ]; then echo "on stdout:"; cat "$work.stdout"; failed=1; fi
exit $failed
