# --traceback adds the calls that led to an error; the message and the status stay.
printf 'local function f() local x = nil + 1 end\nf()\n' > script.lua
status=0
"$bmsim" --traceback script.lua 2> stderr || status=$?
[ "$status" = 1 ] || fail "exit status $status"
expect_text stderr "script.lua:1: attempt to perform arithmetic on a nil value"
expect_text stderr "stack traceback:"
expect_text stderr "script.lua:2: in main chunk"
