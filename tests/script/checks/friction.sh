# Diffusion lies on the exact curve at every friction.
expect_deviation friction 13 gamma diffusion exact low high
