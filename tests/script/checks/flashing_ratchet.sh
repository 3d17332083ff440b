# Noise that modulates the potential brings the exact current.
expect_deviation flashing_ratchet 3 switch.mu_a velocity theory
