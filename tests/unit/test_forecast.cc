// Progress of a run in rounds, over what it is expected to take.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "engine/progress.h"

using namespace bmsim;

TEST_CASE("progress of rounds is that of the run") {
  double expected = std::numeric_limits<double>::quiet_NaN();
  std::vector<Progress> told;
  Forecast forecast([&] { return expected; }, [&](const Progress& progress) { told.push_back(progress); });
  const auto fraction = [&](double of_round) {
    Progress progress;
    progress.fraction = of_round;
    forecast.tell(progress);
    return told.back().fraction;
  };
  forecast.begin(100);
  CHECK(fraction(0.5) == doctest::Approx(0.125));  // nothing is known yet
  CHECK(std::isinf(told.back().seconds_left));
  forecast.begin(300);
  expected = 1000;
  CHECK(fraction(0) == doctest::Approx(0.1));
  CHECK(fraction(1) == doctest::Approx(0.4));
  CHECK((std::isfinite(told.back().seconds_left) && told.back().seconds_left > 0));
  expected = 300;  // less than what has begun
  forecast.begin(400);
  CHECK(fraction(0.5) == doctest::Approx(0.75));
  CHECK(fraction(1) < 1);
  forecast.end();
  CHECK(told.back().fraction == 1);
  CHECK(told.back().seconds_left == 0);
}

TEST_CASE("a run that nobody looks at has no progress") {
  Forecast([] { return 1.0; }, {}).end();
}
