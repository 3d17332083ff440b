# Slowly rocked, the ratchet has the adiabatic current.
expect_deviation rocked_ratchet 6 square.omega velocity adiabatic
