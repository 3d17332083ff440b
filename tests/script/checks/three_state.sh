# The current reverses as the master equation says.
expect_deviation three_state 9 -D time=300 three_state.q three_state.nu velocity theory
