// Sweep points: the order of the outer product, and what a sweep refuses.
#include <doctest/doctest.h>

#include <limits>

#include "error.h"
#include "message_of.h"
#include "model/sweep.h"

using namespace bmsim;
using bmsim::test::message_of;

namespace {
using Column = std::vector<double>;
}

TEST_CASE("Sweep: without an axis there is one point") {
  const Sweep sweep;
  CHECK(sweep.points() == 1);
  CHECK(sweep.names().empty());
}

TEST_CASE("Sweep: the first axis varies slowest, columns swept together vary together") {
  Sweep sweep;
  sweep.add_axis({"D"}, {{1, 2}});
  sweep.add_axis({"a", "b"}, {{10, 20, 30}, {-1, -2, -3}});
  CHECK(sweep.points() == 6);
  CHECK(sweep.names() == std::vector<std::string>{"D", "a", "b"});
  CHECK(sweep.values()[0] == Column{1, 1, 1, 2, 2, 2});
  CHECK(sweep.values()[1] == Column{10, 20, 30, 10, 20, 30});
  CHECK(sweep.values()[2] == Column{-1, -2, -3, -1, -2, -3});
  sweep.set_column("force", {1, 2, 3, 4, 5, 6});
  CHECK(sweep.axis_name_count() == 3);
  CHECK(sweep.values()[3] == Column{1, 2, 3, 4, 5, 6});
}

TEST_CASE("Sweep: what is not a grid is refused, and leaves the sweep as it was") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Sweep sweep;
  sweep.add_axis({"D"}, {{1, 2}});
  CHECK(message_of([&] { sweep.add_axis({"D"}, {{1}}); }) == "sweep: 'D' is swept twice");
  CHECK(message_of([&] { sweep.add_axis({"a"}, {{}}); }) == "sweep: axis 'a' must have at least one value, got none");
  CHECK(message_of([&] { sweep.add_axis({"a"}, {{1, nan}}); }).starts_with("sweep: values of 'a' must be finite, got"));
  CHECK(message_of([&] {
          sweep.add_axis({"a", "b"}, {{1, 2}, {1}});
        }) == "sweep: columns swept together must have the same length, got 2 of 'a' and 1 of 'b'");
  CHECK(message_of([&] { sweep.set_column("a", {1}); }) == "sweep: 'a' needs one value per point, 2, got 1");
  CHECK(message_of([&] { sweep.add_axis({"a"}, {Column(5'000'001)}); }) ==
        "sweep: there must be at most 10000000 points, got 2 x 5000001 with the axis 'a'");
  CHECK(sweep.points() == 2);
  CHECK(sweep.names() == std::vector<std::string>{"D"});
}
