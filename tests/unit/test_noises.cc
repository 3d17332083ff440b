// The noises that come with bmsim: parametrisations, time scales, declared means and intensities, what they refuse, and
// their device text step by step. What it does at random: test_noise_laws.cc.
#include "shipped.h"

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
namespace white {
#include "../../plugins/noise/gaussian.cc"
}
// NOLINTEND(bugprone-suspicious-include)

using namespace bmsim;
using namespace bmsim::test;

namespace {

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

double law(const char* name) { return word("noise.poisson", "law", name); }

}  // namespace

TEST_CASE("Every noise: the defaults are those of every parametrisation") {
  size_t noises = 0;
  shipped("potential.free");
  for (const auto& plugin : Registry::instance().plugins()) {
    if ((*plugin)->kind != BM_NOISE) continue;
    CAPTURE((*plugin)->id);
    const Made noise = made(plugin->full_name());
    for (const bm_parameter& one : std::span((*plugin)->parameters, (*plugin)->parameter_count))
      CHECK(noise[one.name] == Approx(one.value));
    ++noises;
  }
  CHECK(noises >= 6);
}

TEST_CASE("Poissonian noise: every pair of parameters gives the same noise") {
  for (const double zeta : {0.4, 1.0}) {
    const double lambda = 2.5;
    const Given all = {{"lambda", lambda}, {"zeta", zeta}, {"D", lambda * zeta * zeta}, {"a", lambda * zeta}};
    for (auto first = all.begin(); first != all.end(); ++first)
      for (auto second = std::next(first); second != all.end(); ++second) {
        CAPTURE(first->first + " " + second->first);
        const Made noise = made("noise.poisson", {*first, *second});
        for (const auto& [name, expected] : all) CHECK(noise[name.c_str()] == Approx(expected));
        CHECK(noise.time_scale() == Approx(1 / lambda));
      }
  }
  check_round_trip("noise.poisson", {{"lambda", 0.3}, {"zeta", 2.2}, {"compensated", 0}});
}

TEST_CASE("Poissonian noise: D = lambda <z^2>/2 and a = lambda <z> of every law, from all that may be given") {
  const double lambda = 2.5, zeta = 0.4, sigma = 0.7;
  const auto check = [&](const char* name, Given given, double D, double a) {
    CAPTURE(name);
    CAPTURE(given.begin()->first);
    given["law"] = law(name);
    const Made noise = made("noise.poisson", given);
    for (const auto& [parameter, expected] : Given{{"lambda", lambda}, {"zeta", zeta}, {"D", D}, {"a", a}})
      CHECK(noise[parameter.c_str()] == Approx(expected));
    CHECK(noise.intensity() == Approx(D));
    CHECK(noise.mean() == 0);
    given["compensated"] = 0;
    CHECK(made("noise.poisson", given).mean() == Approx(a));
  };
  for (const auto& [name, ratio] : {std::pair{"exponential", 1.0}, {"constant", 0.5}, {"uniform", 2.0 / 3}}) {
    const double D = lambda * ratio * zeta * zeta, a = lambda * zeta;
    for (const Given& given :
         {Given{{"lambda", lambda}, {"zeta", zeta}}, Given{{"D", D}, {"a", a}}, Given{{"lambda", lambda}, {"D", D}},
          Given{{"lambda", lambda}, {"a", a}}, Given{{"zeta", zeta}, {"D", D}}, Given{{"zeta", zeta}, {"a", a}}})
      check(name, given, D, a);
  }
  const double two = lambda * zeta * zeta;
  for (const Given& given : {Given{{"lambda", lambda}, {"zeta", zeta}}, Given{{"lambda", lambda}, {"D", two}},
                             Given{{"zeta", zeta}, {"D", two}}})
    check("two_sided", given, two, 0);
  for (const Given& given : {Given{{"lambda", lambda}, {"zeta", zeta}, {"sigma", sigma}},
                             Given{{"lambda", lambda}, {"a", lambda * zeta}, {"sigma", sigma}},
                             Given{{"zeta", zeta}, {"a", lambda * zeta}, {"sigma", sigma}}})
    check("gaussian", given, lambda * (zeta * zeta + sigma * sigma) / 2, lambda * zeta);
}

TEST_CASE("Poissonian noise: jumps of mean zeta at rate lambda, compensated by -a unless it is switched off") {
  const Made noise = made("noise.poisson", {{"lambda", 4}, {"zeta", 0.5}});
  const auto& p = bm_values<poisson::Values>(noise.values());
  NoState state;
  CHECK(poisson::drift<double>(state, p) == -2);
  CHECK(poisson::waiting<double>(state, p, 3.0) == 0.75);
  CHECK(poisson::event<double>(state, p, 3.0) == 1.5);
  const Made raw = made("noise.poisson", {{"lambda", 4}, {"compensated", 0}});
  CHECK(poisson::drift<double>(state, bm_values<poisson::Values>(raw.values())) == 0);
}

TEST_CASE("Poissonian noise: what it refuses, in words") {
  CHECK(refusal("noise.poisson", {{"compensated", 0.5}}) == "poisson: compensated must be 0 or 1, got 0.5");
  CHECK(refusal("noise.poisson", {{"law", law("two_sided")}, {"a", 1}, {"D", 1}}) ==
        "poisson: law two_sided, where a = 0, must be given by lambda zeta | lambda D | zeta D, got D a");
  CHECK(refusal("noise.poisson", {{"law", law("gaussian")}, {"lambda", 1}, {"D", 1}}) ==
        "poisson: law gaussian must be given by lambda zeta | lambda a | zeta a, got lambda D");
  CHECK(refusal("noise.poisson", {{"law", law("uniform")}, {"sigma", 2}}) ==
        "poisson: sigma must be left out where law is not gaussian, got 2");
  CHECK(refusal("noise.poisson", {{"law", law("constant")}, {"D", 1}, {"a", 0}}) ==
        "poisson: lambda must be > 0, got 0 (derived from D, a)");
}

TEST_CASE("Dichotomous noise: Fa, Fb, tau have zero mean; both parametrisations agree") {
  const Made noise = made("noise.dichotomous", {{"Fa", 3}, {"Fb", 1.6}, {"tau", 0.2}});
  CHECK(3 * noise["mu_b"] == Approx(1.6 * noise["mu_a"]));
  CHECK(noise["mu_a"] + noise["mu_b"] == Approx(5));
  CHECK(noise.time_scale() == Approx(1 / noise["mu_a"]));
  check_round_trip("noise.dichotomous", {{"Fa", 3}, {"Fb", 1.6}, {"tau", 0.2}});
  for (const char* zero : {"Fa", "Fb"})
    CHECK(
        refusal("noise.dichotomous", {{zero, 0}}).starts_with("dichotomous: zero mean needs Fa > 0 and Fb > 0, got "));
}

TEST_CASE("Dichotomous noise: waits 1/mu of its state, flips without a jump, starts from its stationary law") {
  const Made noise = made("noise.dichotomous", {{"Fa", 3}, {"Fb", 1.5}, {"mu_a", 4}, {"mu_b", 1}});
  const auto& p = bm_values<dichotomous::Values>(noise.values());
  Telegraph state;
  CHECK(dichotomous::drift<double>(state, p) == -3);
  CHECK(dichotomous::waiting<double>(state, p, 2.0) == 0.5);
  CHECK(dichotomous::event<double>(state, p, 2.0) == 0);
  CHECK(dichotomous::drift<double>(state, p) == 1.5);
  CHECK(dichotomous::waiting<double>(state, p, 2.0) == 2);
  CHECK(dichotomous::event<double>(state, p, 2.0) == 0);
  CHECK(state.up == 0);
  int up = 0;  // P(Fb) = mu_a / (mu_a + mu_b) = 0.8
  for (int i = 0; i < 1000; ++i) {
    dichotomous::start<double>(state, p, (i + 0.5) / 1000, 1.0);
    up += state.up > 0;
  }
  CHECK(up == 800);
}

TEST_CASE("Three-state noise: -F, 0, F with q, 1 - 2 q, q, at the start and at every event, which jumps nowhere") {
  for (const double q : {0.0, 0.2, 0.5}) {
    CAPTURE(q);
    const Made noise = made("noise.three_state", {{"F", 3}, {"q", q}, {"nu", 4}});
    const auto& p = bm_values<three_state::Values>(noise.values());
    CHECK(noise.mean() == 0);
    CHECK(noise.intensity() == Approx(2 * q * 9 / 4));
    CHECK(noise.time_scale() == 0.25);
    int high = 0, low = 0;
    for (int i = 0; i < 1000; ++i) {
      const double e = -std::log((i + 0.5) / 1000);
      Level drawn{7}, begun{7};
      CHECK(three_state::event<double>(drawn, p, e) == 0);
      three_state::start<double>(begun, p, 0.5, e);
      CHECK(begun.value == drawn.value);
      CHECK(three_state::drift<double>(drawn, p) == drawn.value);
      CHECK(three_state::waiting<double>(drawn, p, e) == e / 4);
      REQUIRE(std::abs(drawn.value * (drawn.value * drawn.value - 9)) == 0);
      high += drawn.value > 0;
      low += drawn.value < 0;
    }
    CHECK(high == 1000 * q);
    CHECK(low == 1000 * q);
  }
  check_round_trip("noise.three_state", {{"F", 3}, {"q", 0.2}, {"nu", 4}});
  CHECK(refusal("noise.three_state", {{"q", 0.6}}) == "three_state: q must be in [0, 0.5], got 0.6");
}

TEST_CASE("Gaussian noise: sigma = sqrt(2 D), and D = gamma T") {
  for (const double gamma : {1.0, 4.0}) {
    const Made by_D = made("noise.gaussian", {{"D", 0.32}}, {}, {gamma, 1});
    const Made by_T = made("noise.gaussian", {{"T", 0.32 / gamma}}, {}, {gamma, 1});
    for (const Made& noise : {by_D, by_T}) {
      CHECK(white::sigma<double>(bm_values<white::Values>(noise.values())) == Approx(0.8));
      CHECK(noise["D"] == Approx(0.32));
      CHECK(noise["T"] == Approx(0.32 / gamma));
      CHECK(noise.intensity() == Approx(0.32));
      CHECK(noise.mean() == 0);
    }
  }
}

TEST_CASE("Ornstein-Uhlenbeck noise: D = sigma^2 tau, and the exact relaxation and spread over any time") {
  check_round_trip("noise.ornstein_uhlenbeck", {{"D", 0.5}, {"tau", 0.2}});
  const Made noise = made("noise.ornstein_uhlenbeck", {{"D", 0.5}, {"tau", 0.2}});
  CHECK(noise["sigma"] == Approx(std::sqrt(2.5)));
  CHECK(noise.intensity() == Approx(0.5));
  CHECK(noise.mean() == 0);
  CHECK(noise.time_scale() == 0.2);
  const auto& p = bm_values<ornstein_uhlenbeck::Values>(noise.values());
  for (const double turns : {1e-9, 1e-4, 0.1, 0.2499, 0.2501, 1.0, 5.0, 100.0}) {
    CAPTURE(turns);
    Coloured relaxing{3}, spreading{0};
    ornstein_uhlenbeck::evolve<double>(relaxing, p, 0.2 * turns, 0.3, 0.0);   // e = 0: the unit normal is 0
    ornstein_uhlenbeck::evolve<double>(spreading, p, 0.2 * turns, 0.0, 0.5);  // e = 1/2 at u = 0: it is 1
    CHECK(3 - relaxing.y == Approx(-3 * std::expm1(-turns)).epsilon(1e-7));
    CHECK(spreading.y == Approx(std::sqrt(-2.5 * std::expm1(-2 * turns))).epsilon(1e-7));
    CHECK(ornstein_uhlenbeck::drift<double>(relaxing, p) == relaxing.y);
    // The mean over the time, from 3: by relaxation, by the part that the end knows of, and by one of its own (u = 1/4:
    // the unit normals are 0 and 1), of variance 2.5 (1 - q)/z with q = tanh(z)/z, z = turns/2.
    const double z = turns / 2, q = std::tanh(z) / z, h = 0.2 * turns;
    const double rest = z < 0.01 ? z / 3 - 2 * z * z * z / 15 : (1 - q) / z;
    Coloured mean{3}, with_end{0}, alone{0};
    CHECK(ornstein_uhlenbeck::evolve<double>(mean, p, h, 0.3, 0.0) == Approx(-3 * std::expm1(-turns) / turns));
    const double known = ornstein_uhlenbeck::evolve<double>(with_end, p, h, 0.0, 0.5);
    CHECK(known == Approx(with_end.y * q / 2));
    CHECK(ornstein_uhlenbeck::evolve<double>(alone, p, h, 0.25, 0.5) == Approx(std::sqrt(2.5 * rest)));
    CHECK(alone.y == Approx(0));
  }
}

TEST_CASE("Levy noise: the mean and the intensity that exist, and what is refused, in words") {
  CHECK(std::isnan(made("noise.levy", {{"alpha", 1}}).mean()));
  CHECK(made("noise.levy", {{"alpha", 1.2}}).mean() == 0);
  CHECK(std::isnan(made("noise.levy", {{"alpha", 1.99}}).intensity()));
  CHECK(made("noise.levy", {{"alpha", 2}, {"scale", 3}}).intensity() == 9);
  CHECK(refusal("noise.levy", {{"alpha", 1.00005}, {"beta", 0.5}}) ==
        "levy: alpha must be 1 or at least 0.0001 away where beta is not 0, as beta tan(pi alpha/2) diverges, "
        "got 1.00005");
  CHECK(refusal("noise.levy", {{"alpha", 1.00005}}) == "no error");
  CHECK(refusal("noise.levy", {{"alpha", 0}}) == "levy: alpha must be in (0, 2], got 0");
  CHECK(refusal("noise.levy", {{"alpha", 2.1}}) == "levy: alpha must be in (0, 2], got 2.1");
  CHECK(refusal("noise.levy", {{"beta", -1.1}}) == "levy: beta must be in [-1, 1], got -1.1");
  CHECK(refusal("noise.levy", {{"scale", 0}}) == "levy: scale must be > 0, got 0");
}
