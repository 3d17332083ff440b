# All laws of kicks diffuse alike, and the exponential one has the exact current.
expect_deviation poisson_laws 6 -D time=100 exponential_velocity two_sided_diffusion exact
