# The same potential four times, on the exact curves.
expect_deviation stratonovich 3 force velocity diffusion exact_v table_v formula_D
