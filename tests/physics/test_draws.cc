// What is drawn, seen in the motion of free particles: laws of increments and of initial states, and the independence
// of steps, paths and components. Points and shares are further paths (test_invariance, test_target), so that what
// holds for paths holds for them.
#include <Random123/philox.h>
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "near_gaussian.h"
#include "tracks.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

struct Law {
  const char* word;
  double fourth, sixth;
};
const Law laws[] = {{"five_point", 3, 10}, {"three_point", 3, 9}, {"near_gaussian", 3, 14.0808}, {"gaussian", 3, 15}};

/// 80 unit increments of 32768 paths.
Tracks increments(const Law& law, const char* precision) {
  RunOptions run = timed_run(1, 80, 0, 32768);
  run.increments = law.word;
  run.precision = precision;
  return tracks(make_model({free_space, {BM_NOISE, "gaussian", {{"D", 0.5}}}}), run, 81);
}

}  // namespace

TEST_CASE("increments: six moments of each law, and at every place of a draw the first two" *
          doctest::test_suite("quick")) {
  for (const Law& law : laws) {
    CAPTURE(law.word);
    const Tracks w = increments(law, "single");
    std::vector<double> all;
    for (size_t path = 0; path < w.paths; ++path)
      for (size_t i = 0; i < 80; ++i) all.push_back(w.moved(path, i));
    const double exact[] = {0, 1, 0, law.fourth, 0, law.sixth}, resolution[] = {8e-4, 1e-3, 3e-3, 7e-3, 0.02, 0.07};
    for (int q = 1; q <= 6; ++q) {
      CAPTURE(q);
      CHECK_EXACT(average(all, [&](double z) { return std::pow(z, q); }), exact[q - 1], resolution[q - 1]);
    }
    for (size_t place = 0; place < 40; ++place) {
      CAPTURE(place);
      std::vector<double> here;
      for (size_t path = 0; path < w.paths; ++path)
        for (const size_t block : {0u, 40u}) here.push_back(w.moved(path, place + block));
      CHECK_EXACT(mean(here), 0, 0.005);
      CHECK_EXACT(average(here, [](double z) { return z * z; }), 1, 0.006);
    }
  }
}

namespace {

/// Holds each increment to value(word, i), number i of a word of which a law takes `per_word` numbers.
template <class Value> void check_bits(const char* law, uint32_t per_word, Value value) {
  RunOptions run = timed_run(1, 80, 0, 64);
  run.increments = law;
  for (const char* precision : {"single", "double"}) {
    CAPTURE(precision);
    run.precision = precision;
    const Tracks w = tracks(make_model({free_space, {BM_NOISE, "gaussian", {{"D", 0.5}}}}), run, 81);
    for (size_t path = 0; path < w.paths; path += 9)
      for (uint32_t i = 0; i < 80; ++i) {
        CAPTURE(path);
        CAPTURE(i);
        const auto draw = r123::Philox4x32()({{i / (4 * per_word), 0, static_cast<uint32_t>(path), 0}},
                                             {{static_cast<uint32_t>(run.seed), 0}});
        CHECK(w.moved(path, i) == doctest::Approx(value(draw[i / per_word % 4], i % per_word)).epsilon(1e-4));
      }
  }
}

}  // namespace

TEST_CASE("increments: the near-Gaussian law takes six bits of a word, five times, from the second on") {
  check_bits("near_gaussian", 5,
             [](uint32_t word, uint32_t i) { return bmsim_kernel::near_gaussian(word >> (2 + 6 * i) & 63); });
}

TEST_CASE("increments: Box and Muller's two of a word have its lower bits as radius, and its upper ones as angle") {
  check_bits("gaussian", 2, [](uint32_t word, uint32_t i) {
    const double radius = std::sqrt(-2 * std::log((static_cast<double>(word & 0x1fffff) + 0.5) / (1 << 21)));
    const double angle = 6.283185307179586476925 * (static_cast<double>(word >> 21) - 1023.5) / 2048;
    return radius * (i == 0 ? std::cos(angle) : std::sin(angle));
  });
}

TEST_CASE("increments: Box and Muller's 2^21 radii and 2^11 angles have eight moments and the tails to 5 sigma") {
  // The law that radius_number and find_direction of kernels/cpu/random.h give to a word, summed over all words.
  constexpr size_t radii = 1 << 21, angles = 1 << 11;
  constexpr double two_pi = 6.283185307179586476925;
  std::vector<double> squares(radii);
  for (size_t k = 0; k < radii; ++k) squares[k] = -2 * std::log((static_cast<double>(k) + 0.5) / radii);
  const double squared_radius[] = {2, 8, 48, 384}, of_cosine[] = {1.0 / 2, 3.0 / 8, 5.0 / 16, 35.0 / 128};
  const double bound[] = {2e-7, 3e-6, 3e-5, 2e-4};
  for (int n = 1; n <= 4; ++n) {
    CAPTURE(n);
    const double radial = average(squares, [&](double square) { return std::pow(square, n); }).value;
    CHECK(std::abs(radial / squared_radius[n - 1] - 1) < bound[n - 1]);
    double angular = 0;
    for (size_t k = 0; k < angles; ++k)
      angular += std::pow(std::cos(two_pi * (static_cast<double>(k) - 1023.5) / angles), 2 * n) / angles;
    CHECK(angular == doctest::Approx(of_cosine[n - 1]).epsilon(1e-12));
  }
  for (const double z : {1.0, 2.0, 3.0, 4.0, 5.0}) {
    CAPTURE(z);
    double above = 0;
    for (size_t k = 0; k < angles; ++k) {
      const double cosine = std::cos(two_pi * (static_cast<double>(k) - 1023.5) / angles);
      if (cosine > 0) above += std::ceil(std::exp(-z * z / (2 * cosine * cosine)) * radii - 0.5) / radii / angles;
    }
    CHECK(std::abs(above / (std::erfc(z / std::sqrt(2)) / 2) - 1) < 0.003);
  }
}

TEST_CASE("increments: Box and Muller's are normal, in single and in double precision") {
  for (const char* precision : {"single", "double"}) {
    const Tracks w = increments(laws[3], precision);
    std::vector<double> all;
    for (size_t path = 0; path < w.paths; ++path)
      for (size_t i = 0; i < 80; ++i) all.push_back(w.moved(path, i));
    check_law(all, [](double z) { return normal_law(z, 0, 1); });
  }
}

TEST_CASE("increments: uncorrelated, and their squares too, with later ones of a path and those of other paths") {
  for (const Law& law : laws) {
    CAPTURE(law.word);
    const Tracks w = increments(law, "single");
    const auto check = [&](size_t paths, size_t steps, size_t other, size_t later) {
      CAPTURE(other);
      CAPTURE(later);
      std::vector<double> products, squares;
      for (size_t path = 0; path < paths; ++path) {
        double product = 0, square = 0;
        for (size_t i = 0; i < steps; ++i) {
          const double a = w.moved(path, i), b = w.moved(path + other, i + later);
          product += a * b;
          square += (a * a - 1) * (b * b - 1);
        }
        products.push_back(product / static_cast<double>(steps));
        squares.push_back(square / static_cast<double>(steps));
      }
      CHECK_EXACT(mean(products), 0, 0.0025);
      CHECK_EXACT(mean(squares), 0, 0.005);
    };
    for (const size_t later : {1u, 2u, 3u, 4u, 8u, 9u, 10u, 20u, 32u, 39u, 40u, 41u, 64u})
      check(w.paths, 80 - later, 0, later);
    for (size_t other = 1; other < w.paths; other *= 2) check(w.paths - other, 80, other, 0);
  }
}

TEST_CASE("first states: dichotomous, three-state and Ornstein-Uhlenbeck noises begin in their stationary laws") {
  RunOptions run = timed_run(1e-6, 1e-6, 0, 393216);
  run.starts["x"] = StartLaw{0, 0, 0, 0};
  const auto forces = [&](const Part& noise) {
    std::vector<double> f = displacements(sample(make_model({free_space, noise}), run));
    for (double& one : f) one /= 1e-6;
    return f;
  };
  const auto fraction = [](const std::vector<double>& f, double value) {
    return average(f, [&](double one) { return std::abs(one - value) < 0.01 ? 1.0 : 0.0; });
  };
  const auto two = forces({BM_NOISE, "dichotomous", {{"Fa", 0.5}, {"Fb", 1.0}, {"mu_a", 1.3}, {"mu_b", 0.8}}});
  CHECK_EXACT(fraction(two, 1), 1.3 / 2.1, 0.001);
  CHECK_EXACT(fraction(two, -0.5), 0.8 / 2.1, 0.001);
  const auto three = forces({BM_NOISE, "three_state", {{"F", 1.0}, {"q", 0.3}, {"nu", 1.4}}});
  CHECK_EXACT(fraction(three, 1), 0.3, 0.001);
  CHECK_EXACT(fraction(three, 0), 0.4, 0.001);
  CHECK_EXACT(fraction(three, -1), 0.3, 0.001);
  check_law(forces({BM_NOISE, "ornstein_uhlenbeck", {{"sigma", 1.5}, {"tau", 10.0}}}),
            [](double f) { return normal_law(f, 0, 2.25); });
}

TEST_CASE("components: kicks of two noises of a kind and the increments beside them are independent") {
  // Kicks of 1000 and of 10^6: the displacement tells all three.
  const Part few{
      BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 1e3}, {"compensated", 0.0}}, "few", {{"law", "constant"}}};
  const Part far{
      BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 1e6}, {"compensated", 0.0}}, "far", {{"law", "constant"}}};
  RunOptions run = timed_run(0.05, 2, 0, 196608);
  run.precision = "double";
  for (const char* law : {"five_point", "gaussian"}) {
    run.increments = law;
    std::vector<double> n[2], g, squares;
    for (const double d :
         displacements(sample(make_model({free_space, few, far, {BM_NOISE, "gaussian", {{"D", 5.0}}}}), run))) {
      n[1].push_back(std::rint(d / 1e6));
      n[0].push_back(std::rint((d - 1e6 * n[1].back()) / 1e3));
      g.push_back(d - 1e6 * n[1].back() - 1e3 * n[0].back());
      squares.push_back(g.back() * g.back());
    }
    for (const auto& count : n) {
      CHECK_EXACT(mean(count), 4, 0.005);
      CHECK_EXACT(correlation(count, g), 0, 0.0025);
      CHECK_EXACT(correlation(count, squares), 0, 0.0025);
    }
    CHECK_EXACT(correlation(n[0], n[1]), 0, 0.0025);
    CHECK_EXACT(variance(g), 20, 0.1);
  }
}

TEST_CASE("components: first states of noises of a kind are independent") {
  const Part one{BM_NOISE, "dichotomous", {{"Fa", 1.0}, {"Fb", 1.0}, {"mu_a", 1.0}, {"mu_b", 1.0}}, "one"};
  const Part two{BM_NOISE, "dichotomous", {{"Fa", 10.0}, {"Fb", 10.0}, {"mu_a", 1.0}, {"mu_b", 1.0}}, "two"};
  RunOptions run = timed_run(1e-9, 1e-9, 0, 196608);
  run.starts["x"] = StartLaw{0, 0, 0, 0};
  run.precision = "double";
  const Part three{BM_NOISE, "three_state", {{"F", 100.0}, {"q", 0.3}, {"nu", 1.0}}};
  std::vector<double> state[3];
  size_t unread = 0;
  for (double d : displacements(sample(make_model({free_space, one, two, three}), run))) {
    d /= 1e-9;
    for (int i = 2; i >= 0; --i) {
      const double size = std::pow(10, i), value = std::abs(d) < size / 2 ? 0 : std::copysign(size, d);
      state[i].push_back(value / size);
      d -= value;
    }
    unread += std::abs(d) < 0.01 ? 0 : 1;
  }
  CHECK(unread == 0);
  for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {1, 2}}) CHECK_EXACT(correlation(state[a], state[b]), 0, 0.0025);
}
