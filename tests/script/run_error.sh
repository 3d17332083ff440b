#!/bin/bash
# run_error.sh PROGRAM NAME: runs errors/NAME.lua and compares exit status and stderr with errors/NAME.expected.
# The expected file: "status N"; perhaps "args ..." in place of the script's name; then stderr, with the working
# directory written as WORK. No file may be left, and nothing may be on stdout.
program=$1
name=$2
. "$(dirname "$0")/workplace.sh"

if [ -e "$here/errors/$name.lua" ]; then cp "$here/errors/$name.lua" .; fi
ls -A > "$work.before"
status=$(sed -n '1s/^status //p' "$here/errors/$name.expected")
args=$(sed -n '2s/^args //p' "$here/errors/$name.expected")
sed -e '1d' -e '2{/^args /d}' "$here/errors/$name.expected" > "$work.expected"

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
