# A line for each model, precision and number of particles, with a speed; and the picture of all.
"$bmsim" -D most=6 -D periods=5 -D plot=performance.gp "$EXAMPLES/performance.lua" > stdout || fail "exit status $?"
[ "$(awk '($2 == "single" || $2 == "double") && $5 > 0' stdout | wc -l)" = 8 ] || fail "$(cat stdout)"
expect_text performance.gp "title 'Model II, double'"
