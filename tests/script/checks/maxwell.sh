# The velocities of both masses follow Maxwell's law.
expect_deviation maxwell 6 mass gaussian.T velocity_squared exact
