// Checks that pass and checks that fail, for test_rows.sh, which reads the rows that they write.
#include <doctest/doctest.h>

#include <string>

#include "../physics/ensemble.h"

using bmsim::Estimate;

TEST_CASE("numbers with a standard error") {
  for (const std::string method : {"heun", "platen"}) {
    CAPTURE(method);
    CHECK_EXACT((Estimate{2.001, 0.0005}), 2, 0.001);
  }
  const double D = 0.3;
  CAPTURE(D);
  CAPTURE(std::string("a word"));
  CHECK_EXACT((Estimate{2.1, 0.02}), 2, 0.1);  // 5 standard errors
  CHECK_EXACT((Estimate{2.1, 0.2}), 2, 0.1);   // too wide to tell
  CHECK_EXACT((Estimate{2, std::nan("")}), 2, 0.1);
}

TEST_CASE("numbers without") {
  CHECK_NEAR(1.01, 1, 0.02);
  CHECK_NEAR(1.03, 1, 0.02);
  CHECK_NEAR(std::nan(""), 1, 0.02);
}
