# The characteristic function at four wave numbers.
expect_deviation levy_law 6 levy.alpha phi_1 exact_1
