# Colour does not change free diffusion.
expect_deviation ornstein_uhlenbeck 6 -D time=30 diffusion white first_order
