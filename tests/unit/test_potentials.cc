// The potentials that come with bmsim: V' against V, periods, kinks, segments, parametrisations, and what they refuse.
#include "shipped.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double bounded = 1;  // of a table's edges

struct Case {
  const char* id;
  Given given;
  Lists lists;
  std::vector<double> kinks;  // in one period, as u
  bool periodic = true;
};
const std::vector<Case> cases = {
    {"free", {}, {}, {}},
    {"harmonic", {{"k", 2.5}}, {}, {}, false},
    {"double_well", {}, {}, {}, false},
    {"double_well", {{"V0", 0.3}, {"x0", 1.5}}, {}, {}, false},
    {"sine", {}, {}, {}},
    {"sine", {{"V0", -0.7}, {"L", 3}, {"phase", 40}}, {}, {}},
    {"ratchet", {}, {}, {}},
    {"ratchet", {{"V0", 0.6}, {"L", 2}, {"b", -0.4}, {"phi", 1.1}}, {}, {}},
    {"fourier", {}, {{"b", {1}}}, {}},
    {"fourier", {{"V0", 0.5}, {"L", 3}}, {{"a", {0.3, 0, -0.2}}, {"b", {1, 0.25}}}, {}},
    {"piecewise_linear", {}, {}, {0, 0.5}},
    {"piecewise_linear", {{"V0", 1.7}, {"L", 3}, {"k", 0.2}}, {}, {0, 0.8}},
    {"piecewise_linear", {{"V0", -0.5}, {"L", 0.4}, {"k", 0.95}}, {}, {0, 0.05}},
    {"piecewise_linear",
     {{"V0", 2}, {"L", 1}},
     {{"x", {0.1, 0.3, 0.4, 0.9}}, {"V", {0, 1, -1, 0.5}}},
     {.1, .3, .4, .9}},
    {"piecewise_linear", {{"L", 4}}, {{"x", {-7, -6.2}}, {"V", {2, 1}}}, {-1.75, -1.55}},
    {"table", {}, {{"V", {0, 1, 0.5, -1, 0.25}}}, {}},
    {"table", {{"V0", 0.1}, {"L", 2}}, {{"V", {1, 0, 3, 2}}, {"x", {-0.9, -0.5, 0.6, 0.7}}}, {}},
    {"table", {{"edges", bounded}}, {{"V", {1, 0, 0.3, 0.7, 2}}, {"x", {-1.5, -0.5, 0.25, 1, 1.1}}}, {}, false},
};

Made made(const Case& one) { return bmsim::test::made(std::string("potential.") + one.id, one.given, one.lists); }

bool near_kink(double u, const std::vector<double>& kinks) {
  for (const double kink : kinks)
    if (std::abs(u - kink - std::rint(u - kink)) < 1e-3) return true;
  return false;
}
/// The same V and force at 997 places on [-2.5, 2.5], up to the zero of energy.
void check_equal(const Made& one, const Made& other, double epsilon) {
  const double offset = one.energy(0) - other.energy(0);
  for (int i = -498; i <= 498; ++i) {
    const double u = i / 199.2 + 0.0001;
    REQUIRE(one.energy(u) - other.energy(u) == Approx(offset).epsilon(epsilon).scale(1));
    REQUIRE(one.force(u) == Approx(other.force(u)).epsilon(epsilon).scale(1));
  }
}

}  // namespace

TEST_CASE("Potentials: every one of one variable that comes with bmsim is among the cases below") {
  size_t potentials = 0;
  shipped("potential.free");
  for (const auto& plugin : Registry::instance().plugins()) {
    if ((*plugin)->kind != BM_POTENTIAL || plugin->has(BM_SEVERAL)) continue;
    CAPTURE((*plugin)->id);
    const auto is_it = [&](const Case& one) { return plugin->full_name() == std::string("potential.") + one.id; };
    CHECK(std::any_of(cases.begin(), cases.end(), is_it));
    ++potentials;
  }
  CHECK(potentials >= 8);
}

TEST_CASE("Potentials: the force is -V'(x), numerically, away from kinks") {
  for (const Case& one : cases) {
    CAPTURE(one.id);
    const Made potential = made(one);
    const double L = potential.period();
    const double h = 1e-5;
    for (int i = -2500; i <= 2500; ++i) {
      const double u = i * 1e-3 + 0.00037;
      if (near_kink(u, one.kinks)) continue;
      const double slope = (potential.energy(u + h) - potential.energy(u - h)) / (2 * h);
      const double force = potential.force(u);
      REQUIRE_MESSAGE(std::abs(force + slope / (L > 0 ? L : 1)) < 3e-7 * std::max(1.0, std::abs(force)), "at u = ", u);
    }
  }
}

TEST_CASE("Potentials: V is continuous, and the force where the flag says so, everywhere") {
  for (const Case& one : cases) {
    CAPTURE(one.id);
    const Made potential = made(one);
    const double h = 1e-5;
    for (double u = -1.2; u < 1.2; u += h) {
      const double force = potential.force(u), next = potential.force(u + h);
      const double L = potential.period() > 0 ? potential.period() : 1;
      const double step = potential.energy(u + h) - potential.energy(u);
      REQUIRE_MESSAGE(std::abs(step) < 1.1 * h * L * std::max({std::abs(force), std::abs(next), 0.1}), "at u = ", u);
      if (potential.plugin.has(BM_SMOOTH)) REQUIRE_MESSAGE(std::abs(next - force) < 5e-3, "at u = ", u);
    }
  }
}

TEST_CASE("Potentials: V and the force repeat with the period") {
  for (const Case& one : cases) {
    CAPTURE(one.id);
    const Made potential = made(one);
    CHECK(one.periodic == (potential.period() > 0));
    if (one.periodic) CHECK(potential.plugin.periodic_possible());
    if (!one.periodic) continue;
    for (int i = -500; i < 500; ++i) {
      const double u = i * 1e-3 + 0.00037;
      for (const double shift : {-3, 1, 5}) {
        REQUIRE(potential.energy(u + shift) == Approx(potential.energy(u)));
        REQUIRE(potential.force(u + shift) == Approx(potential.force(u)));
      }
    }
  }
}

TEST_CASE("Potentials: segments tile one period and agree with the force and the energy") {
  for (const Case& one : cases) {
    CAPTURE(one.id);
    const Made potential = made(one);
    const std::vector<bm_segment> all = potential.segments();
    CHECK(potential.plugin.piecewise_linear_possible() == !all.empty());
    if (all.empty()) continue;
    CHECK(all.size() == std::max<size_t>(one.kinks.size(), 1));
    CHECK(all.back().right - all.front().left == Approx(1));
    for (size_t i = 0; i < all.size(); ++i) {
      if (i > 0) CHECK(all[i].left == all[i - 1].right);
      CHECK(all[i].left < all[i].right);
      if (!one.kinks.empty()) CHECK(near_kink(all[i].left, one.kinks));
      const double length = (all[i].right - all[i].left) * potential.period();
      CHECK(potential.energy(all[i].right) - potential.energy(all[i].left) == Approx(all[i].slope * length));
      for (int j = 1; j < 100; ++j) {
        const double u = all[i].left + (all[i].right - all[i].left) * j / 100;
        CHECK(potential.force(u) == -all[i].slope);
      }
    }
  }
}

TEST_CASE("Piecewise-linear potential: the default is 1 - |x| on [-1, 1], and k moves the minima") {
  const Made paper = test::made("potential.piecewise_linear");
  CHECK(paper.period() == 2);
  for (int i = -27; i < 27; ++i) {
    const double x = 0.037 * i + 0.0005;
    CHECK(paper.energy(x / 2) == Approx(1 - std::abs(x)));
    CHECK(paper.force(x / 2) == (x > 0 ? 1 : -1));
  }
  const Made ratchet = test::made("potential.piecewise_linear", {{"V0", 3}, {"L", 1}, {"k", 0.2}});
  CHECK(ratchet.energy(0) == 3);
  CHECK(ratchet.energy(-0.2) == Approx(0));
  CHECK(ratchet.energy(0.8) == Approx(0));
}

TEST_CASE("Piecewise-linear potential: through its nodes, and the same by k and by two of them") {
  const Lists lists = {{"x", {-1.5, -1, 0.25, 1.75}}, {"V", {0.5, 2, -1, 0}}};
  const Made nodes = test::made("potential.piecewise_linear", {{"L", 4}, {"V0", 3}}, lists);
  for (size_t i = 0; i < 4; ++i)
    for (const double shift : {-4, 0, 8})
      CHECK(nodes.energy((lists.at("x")[i] + shift) / 4) == Approx(3 * lists.at("V")[i]));
  CHECK(nodes.energy((1.75 + 0.3) / 4) == Approx(3 * 0.5 * 0.3 / 0.75));  // on the way to x[0] + L
  check_equal(test::made("potential.piecewise_linear", {{"V0", 1.7}, {"L", 3}, {"k", 0.25}}),
              test::made("potential.piecewise_linear", {{"V0", 1.7}, {"L", 3}}, {{"x", {-0.75, 0}}, {"V", {0, 1}}}),
              1e-12);
}

TEST_CASE("Sine, ratchet and Fourier potentials: what their equations say, and the same where they mean the same") {
  const Made sine = test::made("potential.sine", {{"V0", 2}, {"L", 3}, {"phase", 0.4}});
  const Made ratchet = test::made("potential.ratchet", {{"V0", 2}, {"L", 3}, {"b", 0.3}, {"phi", 0.4}});
  const Made series = test::made("potential.fourier", {{"V0", 2}, {"L", 3}}, {{"a", {0.5, 0, 0.1}}, {"b", {1, -0.25}}});
  for (int i = -23; i < 23; ++i) {
    const double x = 0.173 * i, w = 2 * M_PI * x / 3;
    CHECK(sine.energy(x / 3) == Approx(2 * std::sin(w + 0.4)));
    CHECK(ratchet.energy(x / 3) == Approx(2 * (std::sin(w) + 0.3 * std::sin(2 * w + 0.4))));
    CHECK(series.energy(x / 3) ==
          Approx(2 * (0.5 * std::cos(w) + 0.1 * std::cos(3 * w) + std::sin(w) - 0.25 * std::sin(2 * w))));
  }
  check_equal(ratchet,
              test::made("potential.fourier", {{"V0", 2}, {"L", 3}},
                         {{"a", {0, 0.3 * std::sin(0.4)}}, {"b", {1, 0.3 * std::cos(0.4)}}}),
              1e-12);
  std::vector<double> last(16, 0);
  last[15] = 1;  // the highest harmonic
  check_equal(test::made("potential.fourier", {{"L", 16}}, {{"a", last}}),
              test::made("potential.fourier", {{"L", 16}}, {{"a", last}, {"b", {0}}}), 1e-12);
  CHECK(test::made("potential.fourier", {}, {{"a", last}}).force(1.0 / 64) == Approx(32 * M_PI));
}

TEST_CASE("Double well: minima at +-x0, a barrier of V0 between them, both parametrisations") {
  const Made well = test::made("potential.double_well", {{"V0", 1.5}, {"x0", 0.8}});
  CHECK(well.force(0.8) == Approx(0).scale(1));
  CHECK(well.force(-0.8) == Approx(0).scale(1));
  CHECK(well.energy(0) - well.energy(0.8) == Approx(1.5));
  for (const double x : {-1.3, -0.2, 0.5, 2.0})
    CHECK(well.energy(x) == Approx(1.5 * (std::pow(x * x / 0.64 - 1, 2) - 1)));
  check_round_trip("potential.double_well", {{"a", 3}, {"b", 0.7}});
  CHECK(refusal("potential.double_well", {{"a", 1}, {"x0", 1}}) ==
        "double_well: a and x0 are linked: give one of: a b | V0 x0");
}

TEST_CASE("Table: through its points; of a sine's the sine, with an error of the fourth order") {
  double errors[2];
  for (const uint32_t n : {16u, 32u}) {
    std::vector<double> V, x;
    for (uint32_t i = 0; i < n; ++i) {
      x.push_back(2.0 * i / n);
      V.push_back(std::sin(2 * M_PI * i / n));
    }
    const Made equal = test::made("potential.table", {{"V0", 3}, {"L", 2}}, {{"V", V}});
    for (uint32_t i = 0; i < n; ++i) CHECK(equal.energy(x[i] / 2) == Approx(3 * V[i]).scale(1));
    check_equal(equal, test::made("potential.table", {{"V0", 3}, {"L", 2}}, {{"V", V}, {"x", x}}), 1e-12);
    double& error = errors[n == 32];
    error = 0;
    for (double u = -0.5; u < 0.5; u += 0.001)
      error = std::max(error, std::abs(equal.energy(u) - 3 * std::sin(2 * M_PI * u)));
  }
  CHECK(errors[0] < 5e-4);  // 5/384 h^4 max |V''''| = 9.3e-4
  CHECK(errors[0] / errors[1] == Approx(16).epsilon(0.1));
}

TEST_CASE("Table: any spacing and the largest sizes find their piece") {
  for (const uint32_t n : {2u, 3u, 5u, 64u, 65u, 1000u, 4096u}) {
    CAPTURE(n);
    std::vector<double> V, x;
    for (uint32_t i = 0; i < n; ++i) {
      const double u = (i + 0.4 * std::sin(7.0 * i)) / n;
      x.push_back(u - 0.3);
      V.push_back(std::cos(2 * M_PI * u));
    }
    const Made table = test::made("potential.table", {}, {{"V", V}, {"x", x}});
    const Made line = test::made("potential.table", {{"edges", bounded}}, {{"V", V}, {"x", x}});
    for (uint32_t i = 0; i < n; ++i) {
      REQUIRE(table.energy(x[i]) == Approx(V[i]));
      REQUIRE(table.energy(x[i] - 2) == Approx(V[i]));
      REQUIRE(line.energy(x[i]) == Approx(V[i]));
    }
  }
}

TEST_CASE("Table: a bounded one is the natural spline, and straight beyond its ends") {
  const Lists lists = {{"x", {-1, 0, 2}}, {"V", {1, 0, 4}}};
  const Made table = test::made("potential.table", {{"edges", bounded}, {"V0", 2}, {"L", 9}}, lists);
  CHECK(table.period() == 0);
  // Slopes of the natural spline through three points: 6 jumps of the slope = 2 (h0 + h1) V''(0).
  const double bend = 2 * 6 * (2 + 1) / (2 * 3.0);
  CHECK(table.force(0) == Approx(-(2 * -1 + bend / 3)));
  CHECK(table.force(-1) == Approx(-(2 * -1 - bend / 6)));
  CHECK(table.force(2) == Approx(-(2 * 2 + bend / 3)));
  for (const double far : {0.5, 3.0, 100.0}) {
    CHECK(table.force(-1 - far) == Approx(table.force(-1)));
    CHECK(table.force(2 + far) == Approx(table.force(2)));
    CHECK(table.energy(2 + far) == Approx(8 - far * table.force(2)));
    CHECK(table.energy(-1 - far) == Approx(2 + far * table.force(-1)));
  }
  CHECK(test::made("potential.table", {{"edges", bounded}}, {{"x", {1, 3}}, {"V", {1, 0}}}).force(7) == Approx(0.5));
}

TEST_CASE("Potentials: what they refuse, in words") {
  const std::string line = "potential.piecewise_linear", table = "potential.table";
  CHECK(refusal(line, {}, {{"x", {0, 1}}}) == "piecewise_linear: x and V must have the same length, got 2 and 0");
  CHECK(refusal(line, {}, {{"x", {0}}, {"V", {1}}}) == "piecewise_linear: x must have 2 nodes or more, got 1");
  CHECK(refusal(line, {{"k", 0.3}}, {{"x", {0, 1}}, {"V", {1, 0}}}) ==
        "piecewise_linear: k must be left out where x and V are given, got 0.3");
  CHECK(refusal(line, {}, {{"x", {0, 1, 1}}, {"V", {1, 0, 0}}}) == "piecewise_linear: x must ascend, got 1 after 1");
  CHECK(refusal(line, {{"L", 1.5}}, {{"x", {-0.5, 1}}, {"V", {1, 0}}}) ==
        "piecewise_linear: x must span less than the period L = 1.5, got 1.5");
  CHECK(refusal("potential.fourier", {}) == "fourier: a or b must be given, got neither");
  CHECK(refusal("potential.fourier", {}, {{"a", std::vector<double>(17, 1)}}) ==
        "fourier: a must have 0 to 16 numbers, got 17");
  CHECK(refusal(table, {}) == "table: V must be given (values, 2 to 4096 numbers)");
  CHECK(refusal(table, {}, {{"V", {1}}}) == "table: V must have 2 to 4096 numbers, got 1");
  CHECK(refusal(table, {{"edges", bounded}}, {{"V", {0, 1}}}) ==
        "table: x must be given where edges is bounded, got none");
  CHECK(refusal(table, {}, {{"V", {0, 1}}, {"x", {0, 0.1, 0.2}}}) ==
        "table: x and V must have the same length, got 3 and 2");
  CHECK(refusal(table, {}, {{"V", {0, 1}}, {"x", {0.2, 0.1}}}) == "table: x must ascend, got 0.1 after 0.2");
  CHECK(refusal(table, {}, {{"V", {0, 1}}, {"x", {0, 1}}}) == "table: x must span less than the period L = 1, got 1");
  CHECK(refusal("potential.double_well", {{"a", 0}}) == "double_well: a must be > 0, got 0");
}
