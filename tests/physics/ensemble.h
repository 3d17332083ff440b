// Short ways to say what a physics test runs. The device is $BMSIM_TEST_DEVICE, so that one text tests every back end.
#pragma once
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "../rows.h"
#include "engine/run.h"

namespace bmsim::test {

/// A component: kind, plugin id, its parameters, its name if it is not the id, words of choices, lists, and whether it
/// modulates the potential.
struct Part {
  uint32_t kind;
  std::string id;
  std::initializer_list<std::pair<const char*, double>> given;
  std::string name = "";
  std::initializer_list<std::pair<const char*, const char*>> words = {};
  std::initializer_list<std::pair<const char*, std::vector<double>>> lists = {};
  bool modulates = false;
};

/// An overdamped model.
Model make_model(std::initializer_list<Part> parts, double force = 0);
/// mass dv = [-gamma v - V'(x) + force + ...] dt + ...
struct Inertial {
  double mass = 1, gamma = 1, force = 0;
};
Model make_model(const Inertial& numbers, std::initializer_list<Part> parts);

/// Options with this test suite's device and, where $BMSIM_TEST_SEED gives one, another seed; the rest as by default.
RunOptions options();

/// While this lives, groups on the CPU have the size that is fastest for the paths, whatever $BMSIM_KERNEL_GROUP says.
class FastestGroups {
 public:
  FastestGroups();
  ~FastestGroups();
  FastestGroups(const FastestGroups&) = delete;
  FastestGroups& operator=(const FastestGroups&) = delete;

 private:
  std::string before_;
};

/// 1, or 2 in CI ($BMSIM_TEST_CASES is "long"): the longest tests take a quarter of the paths there, for twice the
/// error. Their lines in docs/validation.md are of all paths.
double coarseness();
uint64_t fewer_in_ci(uint64_t paths);

/// A run of one point.
struct Sample {
  Estimate velocity, diffusion;
  Estimate velocity_squared{};     ///< underdamped only
  std::vector<double> start, end;  ///< positions of every path at the two ends of the window
  std::vector<double> speed;       ///< underdamped: v of every path at the end
  double duration = 0;
  RunOutcome outcome;
};
Sample sample(const Model& model, const RunOptions& options);

/// The value of f at every element of x, averaged, with its standard error.
template <class F> Estimate average(const std::vector<double>& x, F f) {
  std::vector<double> values;
  values.reserve(x.size());
  for (const double one : x) values.push_back(f(one));
  return mean(values);
}

/// Variance with its standard error.
Estimate variance(const std::vector<double>& x);
/// Third central moment with its standard error.
Estimate third_cumulant(const std::vector<double>& x);

/// How many standard errors an estimate is away from the exact value.
inline double deviation(const Estimate& estimate, double exact) { return (estimate.value - exact) / estimate.error; }

}  // namespace bmsim::test

/// The claim of a validation: within 4 standard errors of the exact value, and the standard error itself at most
/// `resolution`, so that errors of that size would be seen. A row of docs/validation.md.
#define CHECK_EXACT(estimate, exact, resolution)                                                       \
  do {                                                                                                 \
    const bmsim::Estimate e_ = (estimate);                                                             \
    const double exact_ = (exact), bound_ = (resolution);                                              \
    const bool sharp_ = e_.error <= bound_, near_ = std::abs(bmsim::test::deviation(e_, exact_)) <= 4; \
    bmsim::test::write_row("z", {#estimate, e_.value, e_.error, exact_, bound_, sharp_ && near_});     \
    INFO(#estimate, " = ", e_.value, " +- ", e_.error, ", exact ", exact_);                            \
    CHECK(e_.error <= bound_);                                                                         \
    CHECK(std::abs(bmsim::test::deviation(e_, exact_)) <= 4);                                          \
  } while (false)
