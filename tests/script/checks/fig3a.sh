# The example writes simulated and exact currents for both asymmetries.
expect_example fig3a 4 poisson.a poisson.D velocity velocity_err exact z
expect_text stdout "rms deviation from the exact curves:"
expect_text fig3a.gp "title 'exact'"
