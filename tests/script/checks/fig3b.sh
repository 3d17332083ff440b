# The example writes simulated and exact currents for both states Fb.
expect_example fig3b 4 dichotomous.Fb dichotomous.tau velocity velocity_err exact z
"$bmsim" -D paths=32 -D points=2 -D periods=20 -D plot=fig3b.gp "$EXAMPLES/fig3b.lua" > stdout || fail "exit status $?"
expect_text fig3b.gp "title 'exact'"
