# What cannot be written to standard output is an error, even if the script looks at no result of print.
[ -e /dev/full ] || exit 0
echo 'print "data"' > print.lua
status=0
"$bmsim" print.lua > /dev/full 2> stderr || status=$?
[ "$status" = 1 ] || fail "exit status $status"
expect_text stderr "cannot write to standard output"
