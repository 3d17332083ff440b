# The current turns when potential and drive are mirrored.
expect_deviation formula 16 -D points=4 -D rows=4 formula.phi current.theta velocity
