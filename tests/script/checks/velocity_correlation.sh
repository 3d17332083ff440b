# The correlation decays as it should.
expect_deviation velocity_correlation 3 lag value error
