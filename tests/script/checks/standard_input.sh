# Without a script and without a terminal, the script comes from standard input.
echo 'local bm = require "bmsim"; print(#bm.linspace(0, 1, 7))' | "$bmsim" > stdout || fail "exit status $?"
[ "$(cat stdout)" = 7 ] || fail "printed $(cat stdout)"
status=0
echo 'local x = y' | "$bmsim" - 2> stderr || status=$?
[ "$status" = 1 ] || fail "exit status $status"
expect_text stderr "stdin:1: undefined global 'y'"
