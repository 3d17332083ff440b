# --dry-run says how much there is to do, prints no results and writes no file.
"$bmsim" --dry-run -D points=3 "$EXAMPLES/fig3a.lua" > stdout || fail "exit status $?"
expect_text stdout "points"
expect_text stdout "steps"
expect_text stdout "memory"
[ ! -e fig3a.csv ] || fail "a file was written"
expect_text stdout "auto: not exact: spp is given"
# An example says what it needs.
status=0
"$bmsim" --dry-run -D points=3 "$EXAMPLES/formula.lua" > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "exit status $status"
expect_text stderr "points and rows must be even"
