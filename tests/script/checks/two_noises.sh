# The example has two Poissonian noises under two names, a zip and a host function.
expect_example two_noises 4 strong.D weak.D weak.a dichotomous.tau velocity velocity_err
