// Device functions on lanes, against the C library in long double, and Philox against Random123. Compiled once per
// precision: BM_REAL is float or double. -march=native, as the kernels themselves are.
#include <Random123/philox.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "arrays.h"
#include "near_gaussian.h"
#include "random.h"
#include "streams.h"

namespace device = bmsim_kernel;

namespace {

using device::SINGLE;
using device::WIDTH;
using real = device::real;
using Lanes = device::Lanes<1>;

constexpr long double two_pi = 6.283185307179586476925286766559L;
const std::string precision = SINGLE ? "single" : "double";

// Largest error of f over n points of [from, to], on lanes and on one number; relative to max(|exact|, least).
template <class F, class Exact> double largest(F f, Exact exact, double from, double to, double least) {
  constexpr int n = 200000;
  double worst = 0;
  for (int i = 0; i < n; i += WIDTH) {
    Lanes x(0);
    for (int l = 0; l < WIDTH; ++l) x.v[0][l] = static_cast<real>(from + (to - from) * (i + l + 0.5) / n);
    const Lanes y = f(x);
    for (int l = 0; l < WIDTH; ++l) {
      const long double wanted = exact(static_cast<long double>(x.v[0][l]));
      const long double scale = std::max<long double>(std::fabs(wanted), least);
      const long double one = f(static_cast<real>(x.v[0][l]));
      worst = std::max({worst, static_cast<double>(std::fabs(y.v[0][l] - wanted) / scale),
                        static_cast<double>(std::fabs(one - wanted) / scale)});
    }
  }
  return worst;
}

constexpr double epsilon =
    SINGLE ? 1.2e-7 : 4.5e-16;  // relative, as kernels/math.h says, plus the rounding of a result

}  // namespace

TEST_CASE("device math: atan2 to rounding in all directions, and on the axes") {
  INFO(precision);
  for (const double scale : {1e-3, 1.0, 1e6}) {
    const auto angle = [&](auto turn) {
      return device::atan2(device::sin2pi(turn) * static_cast<real>(scale),
                           device::cos2pi(turn) * static_cast<real>(scale));
    };
    const auto exact = [](long double turn) { return two_pi * turn; };
    CHECK(largest(angle, exact, -0.4999, 0.4999, 1) < 6 * epsilon);  // those of sine and cosine included
  }
  const auto at = [](double y, double x) {
    return static_cast<double>(device::atan2(static_cast<real>(y), static_cast<real>(x)));
  };
  CHECK(at(0, 0) == 0);
  CHECK(at(0, 2) == 0);
  CHECK(at(0, -2) == doctest::Approx(std::acos(-1.0)));
  CHECK(at(3, 0) == doctest::Approx(std::acos(0.0)));
  CHECK(at(-3, 0) == doctest::Approx(-std::acos(0.0)));
}

TEST_CASE("device math: sin(2 pi x) and cos(2 pi x) to rounding") {
  const auto sine = [](auto x) { return device::sin2pi(x); };
  const auto cosine = [](auto x) { return device::cos2pi(x); };
  const auto exact_sine = [](long double x) { return std::sin(two_pi * (x - std::rint(x))); };
  const auto exact_cosine = [](long double x) { return std::cos(two_pi * (x - std::rint(x))); };
  INFO(precision);
  for (const double range : {0.5, 8.0}) {
    CHECK(largest(sine, exact_sine, -range, range, 1) < 2 * epsilon);
    CHECK(largest(cosine, exact_cosine, -range, range, 1) < 2 * epsilon);
  }
  CHECK(static_cast<double>(device::sin2pi(static_cast<real>(0.25))) == doctest::Approx(1).epsilon(epsilon));
  CHECK(device::sin2pi(static_cast<real>(0)) == 0);
}

TEST_CASE("device math: log of normal numbers") {
  const auto f = [](auto x) { return device::log(x); };
  const auto exact = [](long double x) { return std::log(x); };
  INFO(precision);
  CHECK(largest(f, exact, 1e-4, 1, 1e-3) < 4 * epsilon);
  CHECK(largest(f, exact, 1, 1e6, 1e-3) < 4 * epsilon);
  CHECK(static_cast<double>(device::log(static_cast<real>(2.3283064365386962890625e-10))) ==
        doctest::Approx(-32 * std::log(2.0)).epsilon(4 * epsilon));
  CHECK(device::log(static_cast<real>(1)) == 0);
}

TEST_CASE("device math: exp, and 0 below the normal numbers") {
  const auto f = [](auto x) { return device::exp(x); };
  const auto exact = [](long double x) { return std::exp(x); };
  INFO(precision);
  CHECK(largest(f, exact, -1, 1, 0) < 4 * epsilon);
  CHECK(largest(f, exact, SINGLE ? -80 : -700, SINGLE ? 80 : 700, 0) < 4 * epsilon);
  CHECK(device::exp(static_cast<real>(-1000)) == 0);
  CHECK(std::isfinite(device::exp(static_cast<real>(1000))));
}

TEST_CASE("device math: quantiles of a unit normal to 1.2e-9, or to rounding") {
  const auto f = [](auto u) { return device::normal_quantile(u); };
  // Newton's method on the smaller tail, from a place above it, where it converges from one side.
  const auto exact = [](long double u) {
    const long double tail = std::min(u, 1 - u);
    long double x = std::sqrt(-2 * std::log(2 * tail));
    for (int step = 0; step < 60; ++step)
      x -= (tail - std::erfc(x / std::sqrt(2.0L)) / 2) / std::exp(-x * x / 2) * std::sqrt(two_pi);
    return std::copysign(x, u - 0.5L);
  };
  INFO(precision);
  const double bound = SINGLE ? 4 * epsilon : 1.2e-9;
  CHECK(largest(f, exact, 0.001, 0.999, 0) < bound);
  CHECK(largest(f, exact, 1e-9, 1e-3, 0) < bound);
  CHECK(largest(f, exact, SINGLE ? 1e-30 : 1e-36, 1e-12, 0) < bound);
  CHECK(largest(f, exact, 0.4999, 0.5001, 0) < bound);
  CHECK(largest(f, exact, 0.024249, 0.024251, 0) < bound);  // where one approximation takes over from the other
  CHECK(largest(f, exact, 0.97574, 0.97576, 0) < bound);
  CHECK(device::normal_quantile(static_cast<real>(0.5)) == 0);
}

TEST_CASE("device math: a unit normal from a uniform number and a unit exponential") {
  for (const double e : {1e-6, 0.5, 3.0, 22.0}) {
    const auto f = [e](auto u) { return device::normal(u, decltype(u)(static_cast<real>(e))); };
    const auto exact = [e](long double u) {
      return std::sqrt(2.0L * static_cast<real>(e)) * std::cos(two_pi * (u - std::rint(u)));
    };
    INFO(precision);
    CHECK(largest(f, exact, 0, 1, std::sqrt(2 * e)) < 3 * epsilon);
  }
  CHECK(device::normal(static_cast<real>(0.25), static_cast<real>(0)) == 0);
}

TEST_CASE("device math: gather reads a place of its own for every lane, the first and the last among them") {
  constexpr unsigned n = 4096;
  static real numbers[n];
  for (unsigned i = 0; i < n; ++i) numbers[i] = static_cast<real>(i * i % 65521);
  const device::Table<n> table{numbers};
  for (unsigned first = 0; first < n; ++first) {
    Lanes index(0);
    for (int l = 0; l < WIDTH; ++l) index.v[0][l] = static_cast<real>((first + 977u * static_cast<unsigned>(l)) % n);
    const Lanes found = device::gather(table, index);
    for (int l = 0; l < WIDTH; ++l) {
      const auto place = static_cast<unsigned>(index.v[0][l]);
      REQUIRE(found.v[0][l] == numbers[place]);
      REQUIRE(device::gather(table, index.v[0][l]) == numbers[place]);
    }
  }
}

TEST_CASE("device uniforms: within their ranges, from the smallest and the largest words") {
  for (const uint32_t word : {0u, 1u, 511u, 512u, 0x7fffffffu, 0x80000000u, 0xfffffdffu, 0xfffffe00u, 0xffffffffu}) {
    CAPTURE(word);
    const real one = device::uniform(word);
    CHECK(one > 0);
    CHECK(one < 1);
    CHECK(1 - one > 0);
    CHECK(std::fabs(static_cast<double>(one) - (word + 0.5) / 4294967296.0) <= (SINGLE ? 0x1p-24 : 0));
    CHECK(std::isfinite(device::normal(one, -device::log(one))));
    CHECK(std::isfinite(device::normal_quantile(one)));
    device::Words<1> words{};
    for (int l = 0; l < WIDTH; ++l) words.w[0][l] = word;
    const auto all = device::uniform(words), radius = device::radius_number(words);
    device::T cosine, sine;
    device::find_direction(words, cosine, sine);
    const double angle = two_pi * ((word >> 21) - 1023.5) / (1 << 11);
    for (int l = 0; l < WIDTH; ++l) {
      CHECK(all.v[0][l] == one);
      CHECK(static_cast<double>(radius.v[0][l]) == ((word & 0x1fffff) + 0.5) / (1 << 21));
      CHECK(std::fabs(cosine.v[0][l] - std::cos(angle)) < (SINGLE ? 2e-6 : 1e-14));
      CHECK(std::fabs(sine.v[0][l] - std::sin(angle)) < (SINGLE ? 2e-6 : 1e-14));
    }
  }
  CHECK(device::uniform(0u) + device::uniform(~0u) == 1);
}

TEST_CASE(
    "near-Gaussian law: moments 2 and 4 and the mean absolute value of the normal law; six bits choose a value and its "
    "sign") {
  for (const auto& [order, exact] : {std::pair{1, std::sqrt(4 / two_pi)}, {2, 1.0}, {4, 3.0}}) {
    double sum = 0;
    for (const double m : device::NEAR_GAUSSIAN) sum += std::pow(m, order);
    CHECK(std::fabs(sum / 32 - exact) < 1e-12);
  }
  CHECK(std::is_sorted(std::begin(device::NEAR_GAUSSIAN), std::end(device::NEAR_GAUSSIAN)));
  for (uint32_t bits = 0; bits < 64; ++bits)
    CHECK(device::near_gaussian(bits) == (bits % 2 == 0 ? 1 : -1) * device::NEAR_GAUSSIAN[bits / 2]);
}

namespace {

// Looks up every index in tables of N vectors, with garbage in its upper bits.
template <int N> void check_lookup() {
  device::Vec table[N];
  for (int i = 0; i < N * WIDTH; ++i) table[i / WIDTH][i % WIDTH] = static_cast<real>(i * i);
  for (int first = 0; first < N * WIDTH; ++first) {
    device::UVec index;
    for (int l = 0; l < WIDTH; ++l) index[l] = static_cast<device::uint>(first + 5 * l) + 1024u * 77u;
    const device::Vec found = device::lookup<N>(table, index);
    for (int l = 0; l < WIDTH; ++l) {
      const int at = (first + 5 * l) % (N * WIDTH);
      CHECK(found[l] == static_cast<real>(at * at));
    }
  }
}

}  // namespace

TEST_CASE("device lookup: in tables of one to eight vectors; rotation of the bits of a lane") {
  check_lookup<1>();
  check_lookup<2>();
  check_lookup<4>();
  check_lookup<8>();
  const device::UVec turned = device::rotate_right(device::broadcast_bits(0xb), 3);
  for (int l = 0; l < WIDTH; ++l) CHECK(turned[l] == (static_cast<device::uint>(3) << (8 * sizeof(real) - 3)) + 1);
}

TEST_CASE("device Philox: the words of Random123 for counter (draw, stream, trajectory) and key seed") {
  for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, 0x299f31d0a4093822u, ~uint64_t{0}})
    for (const uint64_t first : {uint64_t{0}, uint64_t{4294967290u}, 0x85a308d3243f6a88u})
      for (const uint32_t draw : {0u, 7u, 0xffffffffu}) {
        device::Words<1> words[4];
        device::draw_words(seed, 17, draw, first, words);
        for (int l = 0; l < WIDTH; ++l) {
          const uint64_t id = first + static_cast<uint64_t>(l);
          const auto wanted =
              r123::Philox4x32()({{draw, 17, static_cast<uint32_t>(id), static_cast<uint32_t>(id >> 32)}},
                                 {{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}});
          for (size_t word = 0; word < 4; ++word) CHECK(static_cast<uint32_t>(words[word].w[0][l]) == wanted[word]);
        }
      }
}

TEST_CASE("device Philox: the known answers that Random123 publishes for philox4x32-10") {
  struct Known {
    uint32_t draw, stream;
    uint64_t trajectory, seed;
    uint32_t words[4];
  };
  constexpr uint64_t ones = ~uint64_t{0};
  for (const Known& known : {Known{0, 0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                             Known{~0u, ~0u, ones, ones, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                             Known{0x243f6a88,
                                   0x85a308d3,
                                   0x0370734413198a2e,
                                   0x299f31d0a4093822,
                                   {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}}) {
    device::Words<1> words[4];
    device::draw_words(known.seed, known.stream, known.draw, known.trajectory, words);
    for (size_t word = 0; word < 4; ++word) CHECK(static_cast<uint32_t>(words[word].w[0][0]) == known.words[word]);
  }
}

TEST_CASE("device exponentials: of their stream, unit mean and variance, never negative") {
  double sum = 0, squares = 0;
  real least = 1;
  constexpr uint32_t batches = 20000;
  constexpr double n = batches * static_cast<double>(device::POOL);
  for (uint32_t batch = 0; batch < batches; ++batch) {
    alignas(64) real e[device::POOL];
    device::draw_exponentials(1, device::stream_events(1), batch, 5, e);
    for (const real one : e) {
      least = std::min(least, one);
      sum += static_cast<double>(one);
      squares += static_cast<double>(one) * static_cast<double>(one);
    }
  }
  CHECK(least >= 0);
  CHECK(std::fabs(sum / n - 1) < 4 / std::sqrt(n));
  CHECK(std::fabs(squares / n - 2) < 4 * std::sqrt(20 / n));  // Var e^2 = 24 - 4
}
