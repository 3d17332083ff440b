// The drives that come with bmsim: their equations, periods, phases, parametrisations, and what they refuse.
#include "shipped.h"

// NOLINTBEGIN(bugprone-suspicious-include): a plugin is one file
namespace square {
#include "../../plugins/drive/square.cc"
}
namespace pulse {
#include "../../plugins/drive/pulse.cc"
}
// NOLINTEND(bugprone-suspicious-include)

using namespace bmsim;
using namespace bmsim::test;

namespace {

struct Case {
  const char* id;
  Given given;
};
std::vector<Case> cases() {
  return {{"cosine", {{"amplitude", 4.2}, {"omega", 4.9}, {"phase", -9}}},
          {"biharmonic", {{"A1", 1.5}, {"A2", -0.4}, {"omega", 2}, {"phase1", 0.3}, {"phase2", 30}}},
          {"square", {{"amplitude", 0.7}, {"omega", 0.3}, {"phase", 8}, {"duty", 0.2}}},
          {"pulse", {{"amplitude", -3}, {"omega", 12}, {"width", 0.1}, {"phase", 4}}},
          {"pulse",
           {{"amplitude", 2}, {"period", 5}, {"width", 0.3}, {"shape", word("drive.pulse", "shape", "gaussian")}}}};
}
Made made(const Case& one) { return bmsim::test::made(std::string("drive.") + one.id, one.given); }

/// The mean over one period from `from` on, in turns.
double mean(const Made& drive, double from) {
  constexpr int n = 100000;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += drive.force(from + (i + 0.5) / n);
  return sum / n;
}

}  // namespace

TEST_CASE("Drives: every one that comes with bmsim is among the cases") {
  size_t drives = 0;
  shipped("potential.free");
  for (const auto& plugin : Registry::instance().plugins()) {
    if ((*plugin)->kind != BM_DRIVE) continue;
    CAPTURE((*plugin)->id);
    const auto all = cases();
    const auto is_it = [&](const Case& one) { return plugin->full_name() == std::string("drive.") + one.id; };
    CHECK(std::any_of(all.begin(), all.end(), is_it));
    ++drives;
  }
  CHECK(drives >= 4);
}

TEST_CASE("Drives: the force repeats with the period, which is the time scale, and not with a half of it") {
  for (const Case& one : cases()) {
    CAPTURE(one.id);
    const Made drive = made(one);
    const double period = one.given.contains("omega") ? 2 * M_PI / drive["omega"] : drive["period"];
    CHECK(drive.time_scale() == Approx(period));
    CHECK(drive.plugin.frequencies(drive.values()) == std::vector<double>{1 / drive.time_scale()});
    double largest = 0, half = 0;
    for (int i = 0; i < 1000; ++i) {
      const double phase = i * 1e-3 + 0.00037;
      for (const double shift : {-3, 1, 5, 1000})
        REQUIRE(drive.force(phase + shift) == Approx(drive.force(phase)).epsilon(1e-9).scale(1));
      half = std::max(half, std::abs(drive.force(phase + 0.5) - drive.force(phase)));
      largest = std::max(largest, std::abs(drive.force(phase)));
    }
    CHECK(largest > 0.1);
    CHECK(half > 0.1);
  }
}

TEST_CASE("Cosine and biharmonic drives: what their equations say, in time") {
  const Made cosine = made(cases()[0]), two = made(cases()[1]);
  for (int i = 0; i < 70; ++i) {
    const double t = 0.071 * i;
    CHECK(cosine.force(t / cosine.time_scale()) == Approx(4.2 * std::cos(4.9 * t - 9)));
    CHECK(two.force(t / two.time_scale()) == Approx(1.5 * std::cos(2 * t + 0.3) - 0.4 * std::cos(4 * t + 30)).scale(1));
  }
}

TEST_CASE("Square wave: A for the part `duty` of a period that begins at phase 0, else -A") {
  for (const double duty : {0.2, 0.5, 0.9})
    for (const double phase : {0.0, 1.0, -7.5}) {
      CAPTURE(duty);
      CAPTURE(phase);
      const Made square = test::made("drive.square", {{"amplitude", 3}, {"duty", duty}, {"phase", phase}});
      for (int i = -700; i < 700; ++i) {
        const double turns = i * 0.00313 + 0.0001, at = turns + phase / (2 * M_PI);
        const double within = at - std::floor(at);
        if (std::min({within, 1 - within, std::abs(within - duty)}) < 1e-9) continue;
        REQUIRE(square.force(turns) == (within < duty ? 3 : -3));
      }
      CHECK(mean(square, 0) == Approx(3 * (2 * duty - 1)).epsilon(1e-4));
    }
}

TEST_CASE("Pulses: centred at whole turns, of the width given, rectangular or Gaussian") {
  const Made box = test::made("drive.pulse", {{"amplitude", 3}, {"period", 4}, {"width", 1}, {"phase", M_PI / 2}});
  for (int i = -200; i < 200; ++i) {
    const double t = 0.0413 * i + 0.001, from_centre = (t + 1) - 4 * std::rint((t + 1) / 4);  // phase: a quarter of 4
    CHECK(box.force(t / 4) == (std::abs(from_centre) < 0.5 ? 3 : 0));
  }
  CHECK(mean(box, 0.1) == Approx(3.0 / 4).epsilon(1e-4));
  const double gaussian = word("drive.pulse", "shape", "gaussian");
  const Made bell = test::made("drive.pulse", {{"amplitude", 3}, {"period", 4}, {"width", 0.5}, {"shape", gaussian}});
  for (int i = -200; i < 200; ++i) {
    const double t = 0.0413 * i, from_centre = t - 4 * std::rint(t / 4);
    CHECK(bell.force(t / 4) == Approx(3 * std::exp(-from_centre * from_centre / (2 * 0.25))));
  }
  CHECK(mean(bell, 0.1) == Approx(3 * 0.5 * std::sqrt(2 * M_PI) / 4).epsilon(1e-3));  // 4 widths reach out to 6e-5
}

TEST_CASE("Drives with edges: a kernel's force is the mean over the width of a step, whatever its length") {
  const Made square = test::made("drive.square", {{"amplitude", 3}, {"duty", 0.3}, {"phase", 1}});
  const Made pulse = test::made("drive.pulse", {{"amplitude", 3}, {"period", 4}, {"width", 0.9}});
  const auto& s = bm_values<square::Values>(square.values());
  const auto& p = bm_host<pulse::Values>(pulse.values(), nullptr);
  for (const double width : {0.001, 0.2, 0.5, 0.9, 1.0, 1.3, 2.75})
    for (int i = 0; i < 40; ++i) {
      CAPTURE(width);
      const double phase = 0.0517 * i - 0.7;
      double of_square = 0, of_pulse = 0;
      constexpr int n = 20000;
      for (int j = 0; j < n; ++j) {
        const double at = phase + width * ((j + 0.5) / n - 0.5);
        of_square += square.force(at) / n;
        of_pulse += pulse.force(at) / n;
      }
      REQUIRE(std::abs(square::force<double>(phase, width, s) - of_square) < 12.0 / n);
      REQUIRE(std::abs(pulse::force<double>(phase, width, p) - of_pulse) < 12.0 / n);
    }
}

TEST_CASE("Pulses: omega and period give the same") {
  check_round_trip("drive.pulse", {{"omega", 1.7}, {"phase", 0.3}, {"width", 0.2}});
  CHECK(test::made("drive.pulse", {{"period", 4}})["omega"] == Approx(M_PI / 2));
}

TEST_CASE("Drives: what they refuse, in words") {
  const double gaussian = word("drive.pulse", "shape", "gaussian");
  CHECK(refusal("drive.pulse", {{"period", 2}, {"width", 2}}) == "pulse: width must be less than the period 2, got 2");
  CHECK(refusal("drive.pulse", {{"period", 2}, {"width", 0.3}, {"shape", gaussian}}) ==
        "pulse: width of a gaussian pulse must be at most 1/8 of the period 2, got 0.3");
  CHECK(refusal("drive.pulse", {{"period", 2}, {"omega", 2}}) ==
        "pulse: omega and period are linked: give one of omega, period (one of: omega | period)");
  CHECK(refusal("drive.square", {{"duty", 1}}) == "square: duty must be in (0, 1), got 1");
  CHECK(refusal("drive.biharmonic", {{"omega", 0}}) == "biharmonic: omega must be > 0, got 0");
  CHECK(refusal("drive.cosine", {{"omega", -1}}) == "cosine: omega must be > 0, got -1");
}
