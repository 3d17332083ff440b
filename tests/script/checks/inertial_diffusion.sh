# The variance grows ballistically, then diffusively.
expect_deviation inertial_diffusion 3 time diffusion exact
