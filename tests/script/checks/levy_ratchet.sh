# Flights bring the exact current.
expect_deviation levy_ratchet 3 levy.alpha velocity theory
