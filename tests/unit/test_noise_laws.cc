// The laws of the noises that come with bmsim, from the device text on the host with random numbers of fixed seeds.
// Bounds are 4.5 standard errors.
#include "shipped.h"

#include <complex>
#include <random>

// NOLINTBEGIN(bugprone-suspicious-include): a plugin is one file
namespace poisson {
#include "../../plugins/noise/poisson.cc"
}
namespace dichotomous {
#include "../../plugins/noise/dichotomous.cc"
}
namespace three_state {
#include "../../plugins/noise/three_state.cc"
}
namespace ornstein_uhlenbeck {
#include "../../plugins/noise/ornstein_uhlenbeck.cc"
}
namespace levy {
#include "../../plugins/noise/levy.cc"
}
// NOLINTEND(bugprone-suspicious-include)

using namespace bmsim;
using namespace bmsim::test;

namespace {

struct Random {
  std::mt19937_64 words;
  explicit Random(uint64_t seed) : words(seed) {}
  double uniform() { return (static_cast<double>(words() >> 11) + 0.5) * 0x1p-53; }
  double exponential() { return -std::log(uniform()); }
};

/// Mean of f over the sample against an exact value, by the sample's own standard error.
template <class F> void check_mean(const std::vector<double>& sample, F f, double exact) {
  const double n = static_cast<double>(sample.size());
  double sum = 0, squares = 0;
  for (const double x : sample) {
    sum += f(x);
    squares += f(x) * f(x);
  }
  const double error = std::sqrt(std::max(squares / n - sum / n * (sum / n), 0.0) / n);
  CAPTURE(exact);
  CAPTURE(sum / n);
  CHECK(std::abs(sum / n - exact) <= 4.5 * error + 1e-12 * std::abs(exact));
}
void check_moments(const std::vector<double>& sample, const std::vector<double>& exact) {
  for (size_t k = 1; k <= exact.size(); ++k) {
    CAPTURE(k);
    check_mean(
        sample, [k](double x) { return std::pow(x, k); }, exact[k - 1]);
  }
}
/// Kolmogorov and Smirnov: the largest distance of the distributions; above 1.95/sqrt(n) with probability 0.001.
template <class F> void check_distribution(std::vector<double> sample, F below) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double worst = 0;
  for (size_t i = 0; i < sample.size(); ++i)
    worst = std::max(worst, std::abs(below(sample[i]) - (static_cast<double>(i) + 0.5) / n));
  CHECK(worst * std::sqrt(n) < 1.95);
}

struct NoState {};
struct Telegraph {
  double up = 0;
};
struct Level {
  double value = 0;
};
struct Coloured {
  double y = 0;
};

std::vector<double> jumps(const char* law, Given given, uint64_t seed) {
  given["law"] = word("noise.poisson", "law", law);
  const Made noise = made("noise.poisson", given);
  const auto& p = bm_values<poisson::Values>(noise.values());
  Random random(seed);
  NoState state;
  std::vector<double> sample(1000000);
  for (double& z : sample) z = poisson::event<double>(state, p, random.exponential());
  const double lambda = noise["lambda"];
  check_mean(
      sample, [lambda](double z) { return lambda * z; }, noise["a"]);
  check_mean(
      sample, [lambda](double z) { return lambda * z * z / 2; }, noise["D"]);
  return sample;
}

/// Value of a noise that is its drift, at the times 0, h, 2 h, ... of one long run of its events.
template <class State, class Start, class Step> std::vector<double> run(Start start, Step step, size_t n) {
  State state;
  start(state);
  std::vector<double> values(n);
  for (double& value : values) value = step(state);
  return values;
}
/// Mean, variance and correlation at lag 1 of a stationary series that forgets by the factor c a step: the standard
/// errors are larger by sqrt((1 + c)/(1 - c)) than those of independent numbers.
void check_stationary(const std::vector<double>& y, double mean, double variance, double c) {
  const double n = static_cast<double>(y.size()), longer = std::sqrt((1 + c) / (1 - c));
  double sum = 0, squares = 0, products = 0, fourth = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    const double d = y[i] - mean;
    sum += d;
    squares += d * d;
    fourth += d * d * d * d;
    products += d * (y[i > 0 ? i - 1 : y.size() - 1] - mean);
  }
  const double error = std::sqrt(std::max(fourth / n, variance * variance) / n) * longer;
  CHECK(std::abs(sum / n) < 4.5 * std::sqrt(variance / n) * longer);
  CHECK(std::abs(squares / n - variance) < 4.5 * error);
  CHECK(std::abs(products / n - variance * c) < 4.5 * error);
}

}  // namespace

TEST_CASE("Poissonian noise: four moments and the distribution of the jumps of every law") {
  SUBCASE("exponential") {
    const auto z = jumps("exponential", {{"lambda", 2}, {"zeta", 0.7}}, 1);
    check_moments(z, {0.7, 2 * 0.49, 6 * 0.343, 24 * 0.2401});
    check_distribution(z, [](double x) { return -std::expm1(-x / 0.7); });
  }
  SUBCASE("constant") {
    for (const double z : jumps("constant", {{"lambda", 2}, {"zeta", -0.7}}, 2)) REQUIRE(z == -0.7);
  }
  SUBCASE("gaussian") {
    const double m = -0.3, s = 0.8, m2 = m * m, s2 = s * s;
    const auto z = jumps("gaussian", {{"lambda", 2}, {"zeta", m}, {"sigma", s}}, 3);
    check_moments(z, {m, m2 + s2, m * (m2 + 3 * s2), m2 * m2 + 6 * m2 * s2 + 3 * s2 * s2});
    check_distribution(z, [=](double x) { return std::erfc((m - x) / (s * std::sqrt(2))) / 2; });
  }
  SUBCASE("two-sided") {
    const auto z = jumps("two_sided", {{"lambda", 2}, {"zeta", 0.7}}, 4);
    check_moments(z, {0, 2 * 0.49, 0, 24 * 0.2401});
    check_distribution(z, [](double x) { return x < 0 ? std::exp(x / 0.7) / 2 : 1 - std::exp(-x / 0.7) / 2; });
  }
  SUBCASE("uniform") {
    const auto z = jumps("uniform", {{"lambda", 2}, {"zeta", 0.7}}, 5);
    check_moments(z, {0.7, 1.96 / 3, 2.744 / 4, 3.8416 / 5});
    check_distribution(z, [](double x) { return x / 1.4; });
  }
}

TEST_CASE("Poissonian noise: the rarest exponentials make finite jumps of every law") {
  for (const char* law : {"exponential", "constant", "gaussian", "two_sided", "uniform"})
    for (const double e : {0.0, 1e-12, 22.9, 60.0}) {
      CAPTURE(law);
      CAPTURE(e);
      const Made noise = made("noise.poisson", {{"law", word("noise.poisson", "law", law)}});
      NoState state;
      CHECK(std::isfinite(poisson::event<double>(state, bm_values<poisson::Values>(noise.values()), e)));
    }
}

TEST_CASE("Dichotomous and three-state noises: mean, variance and correlation of a long run of their events") {
  constexpr size_t n = 400000;
  const double h = 0.3;
  Random random(6);
  double next = 0;
  const auto stepped = [&](auto& state, const auto& p, auto waiting, auto event, auto drift) {
    for (next -= h; next < 0;) {
      event(state, p, random.exponential());
      next += waiting(state, p, random.exponential());
    }
    return drift(state, p);
  };
  const Made two = made("noise.dichotomous", {{"Fa", 3}, {"Fb", 1.5}, {"mu_a", 4}, {"mu_b", 1}});
  const auto& a = bm_values<dichotomous::Values>(two.values());
  const auto flips = run<Telegraph>(
      [&](Telegraph& s) {
        dichotomous::start<double>(s, a, random.uniform(), 0.0);
        next = dichotomous::waiting<double>(s, a, random.exponential());
      },
      [&](Telegraph& s) {
        return stepped(
            s, a, [](auto& state, auto& p, double e) { return dichotomous::waiting<double>(state, p, e); },
            [](auto& state, auto& p, double e) { dichotomous::event<double>(state, p, e); },
            [](auto& state, auto& p) { return dichotomous::drift<double>(state, p); });
      },
      n);
  check_stationary(flips, 0.8 * 1.5 - 0.2 * 3, 4.5 * 4.5 * 0.8 * 0.2, std::exp(-h * 5));
  const Made three = made("noise.three_state", {{"F", 3}, {"q", 0.2}, {"nu", 2}});
  const auto& b = bm_values<three_state::Values>(three.values());
  const auto levels = run<Level>(
      [&](Level& s) {
        three_state::start<double>(s, b, 0.5, random.exponential());
        next = three_state::waiting<double>(s, b, random.exponential());
      },
      [&](Level& s) {
        return stepped(
            s, b, [](auto& state, auto& p, double e) { return three_state::waiting<double>(state, p, e); },
            [](auto& state, auto& p, double e) { three_state::event<double>(state, p, e); },
            [](auto& state, auto& p) { return three_state::drift<double>(state, p); });
      },
      n);
  check_stationary(levels, 0, 2 * 0.2 * 9, std::exp(-h * 2));
}

TEST_CASE("Ornstein-Uhlenbeck noise: variance D/tau and correlation exp(-h/tau), whatever the steps") {
  const Made noise = made("noise.ornstein_uhlenbeck", {{"D", 0.5}, {"tau", 0.2}});
  const auto& p = bm_values<ornstein_uhlenbeck::Values>(noise.values());
  for (const double h : {0.01, 0.06, 0.5}) {
    CAPTURE(h);
    Random random(7);
    const auto y = run<Coloured>(
        [&](Coloured& s) {
          const double u = random.uniform();
          ornstein_uhlenbeck::start<double>(s, p, u, random.exponential());
        },
        [&](Coloured& s) {
          const double u = random.uniform();
          ornstein_uhlenbeck::evolve<double>(s, p, h, u, random.exponential());
          return s.y;
        },
        400000);
    check_stationary(y, 0, 2.5, std::exp(-h / 0.2));
    if (h > 0.4) check_distribution(y, [](double x) { return std::erfc(-x / std::sqrt(5)) / 2; });
  }
}

TEST_CASE("Ornstein-Uhlenbeck noise: starts from its stationary law") {
  const Made noise = made("noise.ornstein_uhlenbeck", {{"sigma", 1.5}, {"tau", 3}});
  Random random(8);
  std::vector<double> y(200000);
  for (double& one : y) {
    Coloured state;
    const double u = random.uniform();
    ornstein_uhlenbeck::start<double>(state, bm_values<ornstein_uhlenbeck::Values>(noise.values()), u,
                                      random.exponential());
    one = state.y;
  }
  check_distribution(y, [](double x) { return std::erfc(-x / (1.5 * std::sqrt(2))) / 2; });
}

TEST_CASE("Levy noise: the characteristic function of its increments") {
  struct Law {
    double alpha, beta, scale, h;
  };
  for (const Law& law : {Law{2, 0.3, 0.7, 0.5}, Law{1.9, 1, 1, 1}, Law{1.5, 0, 1, 0.01}, Law{1.5, -0.8, 2, 0.3},
                         Law{1.001, 0.5, 1, 1}, Law{1, 0, 0.5, 2}, Law{1, 1, 1, 0.2}, Law{1, -0.6, 3, 1},
                         Law{0.999, 0.5, 1, 1}, Law{0.7, 1, 1, 0.4}, Law{0.5, 0.5, 1, 1}}) {
    CAPTURE(law.alpha);
    CAPTURE(law.beta);
    const Made noise = made("noise.levy", {{"alpha", law.alpha}, {"beta", law.beta}, {"scale", law.scale}});
    const auto& p = bm_values<levy::Values>(noise.values());
    Random random(9);
    std::vector<double> x(400000);
    for (double& one : x) {
      const double u = random.uniform();
      one = levy::increment<double>(p, law.h, u, random.exponential());
      REQUIRE(std::isfinite(one));
    }
    const double width = law.scale * std::pow(law.h, 1 / law.alpha);
    for (const double turn : {0.2, 0.5, 1.0, 2.0}) {
      const double k = turn / width;
      CAPTURE(turn);
      const double skew = law.alpha == 2   ? 0
                          : law.alpha == 1 ? -law.beta * 2 / M_PI * std::log(k)
                                           : law.beta * std::tan(M_PI * law.alpha / 2);
      const auto exact = std::exp(-std::pow(turn, law.alpha) * std::complex<double>(1, -skew));
      check_mean(
          x, [k](double one) { return std::cos(k * one); }, exact.real());
      check_mean(
          x, [k](double one) { return std::sin(k * one); }, exact.imag());
    }
  }
}

TEST_CASE("Levy noise: the rarest numbers, and no time at all, make finite increments") {
  for (const double alpha : {0.5, 0.9, 1.0, 1.5, 2.0})
    for (const double beta : {-1.0, 0.0, 1.0})
      for (const double u : {1e-9, 6e-8, 0.5, 1 - 6e-8, 1.0})
        for (const double e : {0.0, 1e-9, 22.9})
          for (const double h : {0.0, 1e-5, 1.0}) {
            CAPTURE(alpha);
            CAPTURE(beta);
            CAPTURE(u);
            const Made noise = made("noise.levy", {{"alpha", alpha}, {"beta", beta}});
            const double step = levy::increment<double>(bm_values<levy::Values>(noise.values()), h, u, e);
            CHECK(std::isfinite(step));
            if (h == 0 && alpha > 1) CHECK(std::abs(step) < 1e-6);
          }
}
