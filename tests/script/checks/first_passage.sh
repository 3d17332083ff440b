# The mean time to pass the barrier is the exact one, and what did not pass is said.
expect_deviation first_passage 3 -D paths=512 gaussian.D mean_first_passage_time first_passage_variance \
  first_passage_censored exact
