// Spectra: what averaged periodograms of sampled processes are expected to be, exactly; lines; the sum over f.
//
// Held to: the expected periodogram, with aliases and leakage, of v of the free inertial particle and of x in a
// harmonic trap; 4D of shot noise; lines of a driven linear particle; ΣS Δf is the variance of the samples, to rounding
#include <doctest/doctest.h>

#include <cmath>

#include "numbers.h"
#include "recorded.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

/// The expectation of the periodogram at k / (samples step) of a stationary series of autocorrelation C(lag), with
/// Hann's window: the leakage and the aliases are in it.
template <class Correlation> double expected(size_t samples, double step, size_t k, Correlation C) {
  const double n = static_cast<double>(samples);
  std::vector<double> w(samples);
  for (size_t j = 0; j < samples; ++j) w[j] = std::pow(std::sin(pi * static_cast<double>(j) / n), 2);
  double sum = 0, squares = 0;
  for (size_t lag = 0; lag < samples; ++lag) {
    double both = 0;
    for (size_t j = 0; j + lag < samples; ++j) both += w[j] * w[j + lag];
    if (lag == 0) squares = both;
    const double turn = 2 * pi * static_cast<double>(k) * static_cast<double>(lag) / n;
    sum += (lag == 0 ? 1 : 2) * both * C(step * static_cast<double>(lag)) * std::cos(turn);
  }
  return (k == 0 || 2 * k == samples ? 1 : 2) * step * sum / squares;
}

double integral(const Recorded& r) {
  const std::vector<double>&S = r.array("spectrum"), &f = r.array("spectrum_frequency");
  double sum = 0;
  for (const double one : S) sum += one * f[1];
  return sum;
}

}  // namespace

TEST_CASE("spectrum: Lorentzian of the free inertial particle's velocity, sampled" * doctest::test_suite("quick")) {
  const double m = 2, gamma = 0.7, T = 1.5, step = 0.25, g = gamma / m;
  const size_t samples = 256;
  const auto C = [&](double t) { return T / m * std::exp(-g * t); };
  const Recorded r = record(make_model({.mass = m, .gamma = gamma}, {{BM_NOISE, "gaussian", {{"T", T}}}}),
                            timed_run(0.05, 300, 0.1, 1024),
                            {{"spectrum", {{"samples", {256}}, {"step", {step}}, {"segments", {7}}}}});
  REQUIRE(r.array("spectrum").size() == samples / 2 + 1);
  for (size_t k = 0; k <= samples / 2; k += k < 16 ? 1 : 16) {
    const double f = r.array("spectrum_frequency")[k], w = 2 * pi * f, exact = expected(samples, step, k, C);
    CAPTURE(f);
    CHECK(f == doctest::Approx(static_cast<double>(k) / (samples * step)));
    CHECK_EXACT(r.estimate("spectrum", k), exact, 0.03 * exact);
    // far from both ends the continuous law: 4 (T / m) g / (g^2 + w^2)
    if (f > 0.04 && f < 0.3) CHECK(exact == doctest::Approx(4 * T / m * g / (g * g + w * w)).epsilon(0.02));
  }
}

TEST_CASE("spectrum: of the position in a harmonic trap, and white of free shot noise, 4 D") {
  const double D = 0.4, k = 1.5, step = 0.1;
  const Part trap{BM_POTENTIAL, "harmonic", {{"k", k}}}, bath{BM_NOISE, "gaussian", {{"D", D}}};
  const Recorded trapped =
      record(make_model({trap, bath}, 0.8), timed_run(0.01, 80, 0.1, 1024),
             {{"spectrum", {{"samples", {128}}, {"step", {step}}, {"segments", {9}}}, {{"of", "position"}}}});
  for (size_t i = 0; i <= 64; i += 4) {
    const double exact = expected(128, step, i, [&](double t) { return D / k * std::exp(-k * t); });
    CAPTURE(i);
    CHECK_EXACT(trapped.estimate("spectrum", i), exact, 0.03 * exact);
  }
  const Part kicks{BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 0.5}}};
  const Recorded free =
      record(make_model({kicks}), timed_run(0.05, 80, 0.1, 2048),
             {{"spectrum", {{"samples", {64}}, {"step", {0.5}}, {"segments", {2}}, {"paths", {2048}}}}});
  for (size_t i = 0; i <= 32; i += 4) {
    CAPTURE(i);
    CHECK_EXACT(free.estimate("spectrum", i), i == 0 || i == 32 ? 1.0 : 2.0, 0.06);  // D = lambda zeta^2 = 1/2
  }
}

TEST_CASE("spectrum: the line of a driven linear particle, A^2/2 in one bin, and in three of Hann's") {
  const double a = 2, m = 1, gamma = 0.8, f = 0.5, w = 2 * pi * f, half = a * a / (gamma * gamma + m * m * w * w) / 2;
  const Part push{BM_DRIVE, "cosine", {{"amplitude", a}, {"omega", w}}};
  for (const std::string window : {"none", "hann"}) {
    CAPTURE(window);
    RunOptions asked = timed_run(0.005, 80, 0.1, 16);
    asked.transient = 0.5;
    asked.precision = "double";
    const Recorded r =
        record(make_model({.mass = m, .gamma = gamma}, {push}), asked,
               {{"spectrum", {{"samples", {200}}, {"step", {0.1}}, {"segments", {2}}}, {{"window", window}}}});
    const std::vector<double>& S = r.array("spectrum");
    const double df = 1 / (200 * 0.1);
    const size_t line = 10, width = window == std::string("hann") ? 1 : 0;
    CHECK(r.array("spectrum_frequency")[line] == doctest::Approx(f));
    double in_line = 0, elsewhere = 0;
    for (size_t i = 0; i < S.size(); ++i) (i + width >= line && i <= line + width ? in_line : elsewhere) += S[i] * df;
    CHECK_NEAR(in_line, half, 1e-3 * half);
    CHECK(elsewhere < 1e-6 * half);
    if (width == 1) CHECK(S[line - 1] == doctest::Approx(S[line] / 4).epsilon(1e-3));
  }
}

TEST_CASE("spectrum: without a window the sum of S df is the variance of the samples, to rounding") {
  const Part wave{BM_POTENTIAL, "sine", {}}, heat{BM_NOISE, "gaussian", {{"D", 0.4}}};
  const Recorded r = record(
      make_model({wave, heat}, 3), timed_run(0.01, 12, 0.1, 96),
      {{"spectrum", {{"samples", {30}}, {"step", {0.1}}, {"segments", {3}}, {"paths", {50}}}, {{"window", "none"}}},
       {"paths", {{"paths", {50}}, {"times", [] {
                                      std::vector<double> times;
                                      for (int i = 0; i <= 90; ++i) times.push_back(1.2 + 0.1 * i);
                                      return times;
                                    }()}}}});
  const std::vector<double>& x = r.array("paths_x");
  std::vector<double> v;
  for (size_t path = 0; path < 50; ++path)
    for (size_t i = 0; i < 90; ++i) v.push_back((x[path * 91 + i + 1] - x[path * 91 + i]) / 0.1);
  const double centre = mean(v).value;
  CHECK(integral(r) == doctest::Approx(average(v, [&](double z) { return (z - centre) * (z - centre); }).value));
}
