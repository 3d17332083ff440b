// Paths of free particles step by step, and what tests of random numbers say of what they find in them.
#pragma once
#include <cmath>

#include "measures.h"
#include "recorded.h"

namespace bmsim::test {

inline const Part free_space{BM_POTENTIAL, "free", {}};

/// x of the first `paths` paths at `times` equal times from the start to the end of the run, both among them.
struct Tracks {
  size_t paths, times;
  std::vector<double> x;
  double at(size_t path, size_t time) const { return x[path * times + time]; }
  double moved(size_t path, size_t time) const { return at(path, time + 1) - at(path, time); }
};
inline Tracks tracks(const Model& model, RunOptions run, size_t times) {
  run.starts["x"] = StartLaw{0, 0, 0, 0};
  run.transient = 0;
  const Recorded r = record(
      model, run, {{"paths", {{"paths", {static_cast<double>(run.paths)}}, {"count", {static_cast<double>(times)}}}}});
  return {run.paths, times, r.array("paths_x")};
}

template <class Law> void check_law(const std::vector<double>& x, Law law) {
  const double distance = kolmogorov_smirnov(x, law);
  CAPTURE(distance);
  CAPTURE(x.size());
  CHECK(distance < kolmogorov_bound);
}
inline auto exponential_law(double mean) {
  return [mean](double x) { return x > 0 ? -std::expm1(-x / mean) : 0; };
}
/// Of pairs of numbers.
inline Estimate correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size()), centre_a = mean(a).value, centre_b = mean(b).value;
  const double scale = std::sqrt(variance(a).value * variance(b).value);
  std::vector<double> products(a.size());
  for (size_t i = 0; i < a.size(); ++i) products[i] = (a[i] - centre_a) * (b[i] - centre_b) / scale * n / (n - 1);
  return mean(products);
}

}  // namespace bmsim::test
