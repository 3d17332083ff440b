#include "observe/moments.h"

#include <array>

namespace bmsim {

namespace {

constexpr size_t threads = 256;  // as many partial sums as a block of the GPU's kernel has threads

template <class F> double sum(size_t n, F f) {
  std::array<double, threads> partial{};
  for (size_t i = 0; i < n; ++i) partial[i % threads] += f(i);
  for (size_t half = threads / 2; half > 0; half /= 2)
    for (size_t t = 0; t < half; ++t) partial[t] += partial[t + half];
  return partial[0];
}

}  // namespace

WindowMoments moments(const Window& window) {
  const size_t n = window.start.size();
  const auto &start = window.start, &end = window.end;
  WindowMoments m;
  m.paths = static_cast<double>(n);
  const double before = sum(n, [&](size_t i) { return start[i]; }) / m.paths;
  const double after = sum(n, [&](size_t i) { return end[i]; }) / m.paths;
  m.displacement = sum(n, [&](size_t i) { return end[i] - start[i]; }) / m.paths;
  const auto spread = [&](size_t i) {
    const double e = end[i] - after, s = start[i] - before;
    return e * e - s * s;
  };
  m.spread = sum(n, spread) / m.paths;
  m.displacement_squares = sum(n, [&](size_t i) {
    const double d = end[i] - start[i] - m.displacement;
    return d * d;
  });
  m.spread_squares = sum(n, [&](size_t i) {
    const double q = spread(i) - m.spread;
    return q * q;
  });
  m.displacement_with_spread =
      sum(n, [&](size_t i) { return (end[i] - start[i] - m.displacement) * (spread(i) - m.spread); });
  if (window.squares.empty()) return m;
  const auto& squares = window.squares;
  m.squares = sum(n, [&](size_t i) { return squares[i]; }) / m.paths;
  m.squares_squares = sum(n, [&](size_t i) {
    const double d = squares[i] - m.squares;
    return d * d;
  });
  m.displacement_with_squares =
      sum(n, [&](size_t i) { return (end[i] - start[i] - m.displacement) * (squares[i] - m.squares); });
  return m;
}

}  // namespace bmsim
