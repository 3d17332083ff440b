# The spectrum of the voltage at low frequencies is that of diffusion.
expect_deviation junction_spectrum $((3 * 513)) force frequency value error
