# The example combines Poissonian and Gaussian noise and measures both observables.
expect_example thermal_ratchet 2 gaussian.D velocity velocity_err diffusion diffusion_err
