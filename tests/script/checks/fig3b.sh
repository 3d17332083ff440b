# The example writes simulated and exact currents for both states Fb.
expect_example fig3b 4 dichotomous.Fb dichotomous.tau velocity velocity_err exact z
