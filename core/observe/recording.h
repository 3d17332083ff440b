// Recorded paths as observables see them: statistics over the paths, with standard errors, in units of length and time.
// Sums are computed where the recording lies (backend/samples.h), so that most of them copy no paths.
#pragma once
#include <algorithm>
#include <functional>
#include <vector>

#include "backend/samples.h"
#include "observe/jackknife.h"
#include "observe/moments.h"

namespace bmsim {

/// A recorded number: the position or the velocity of the observable's own variable, or the number of this index at
/// every mark, where the positions of all variables come first, then the velocities.
struct Variable {
  int index = -1;
  static const Variable x, v;
  friend bool operator==(Variable, Variable) = default;
};
constexpr Variable Variable::x{-1}, Variable::v{-2};

/// The numbers at a mark, for an observable of one variable.
struct SampleValues {
  size_t count = 1;                   ///< numbers at every mark
  size_t x = 0;                       ///< index of the position of the variable
  size_t v = 0;                       ///< index of its velocity; 0: it has none
  std::vector<double> lengths = {1};  ///< unit of the position of every variable
};

/// The bins of one variable: [from, to] cut into `count`. Folded: x modulo the period, [-L/2, L/2).
struct Axis {
  Variable variable = Variable::x;
  size_t count = 1;
  double from = 0, to = 0;
  bool folded = false;
  double width(double period) const { return (folded ? period : to - from) / static_cast<double>(count); }
  /// Ends of groups of bins, at most 64, in bins.
  std::vector<size_t> ends() const;
  /// Centres of the bins, in periods if folded.
  std::vector<double> centres() const;
};

class Recording {
 public:
  Recording() = default;
  /// marks: of an observable, in the order of its times.
  Recording(const Samples& samples, std::vector<double> times, std::vector<uint32_t> marks, SampleValues values)
      : samples_(&samples), times_(std::move(times)), marks_(std::move(marks)), values_(std::move(values)) {}

  /// The recording at the times of these indices only.
  Recording at(const std::vector<size_t>& indices) const;
  const std::vector<double>& times() const { return times_; }  ///< as recorded: at whole steps
  size_t paths() const { return samples_->paths(); }
  size_t size_of(size_t group) const { return samples_->size_of(group); }  ///< paths of a group; see Samples
  bool has(Variable variable) const { return variable != Variable::v || values_.v > 0; }

  /// Number of paths that give the error of a third or a fourth cumulant (or of k4 / k2^2), if k4 / k2^2 is about
  /// `fourth`. The tails dominate these cumulants, so that they must have been met often enough. Moderate tails do not
  /// change the number: otherwise ensembles that happen to have met few of them would pass more often.
  static double paths_for_third(double fourth) { return 1024 * std::max(1.0, fourth / 1.5); }
  static double paths_for_fourth(double fourth) { return 4 * paths_for_third(fourth); }
  /// Cumulants to the fourth at every time: shape (times, 4), unbiased. Errors of the last two are nan for few paths.
  Grouped cumulants(Variable variable) const;
  /// k4 / (3 k2^2) of x(last time) - x(first time), or of v at the last time: one number. Its error is nan for too few
  /// paths.
  Grouped non_gaussianity(Variable variable) const;
  /// Unbiased k2 and k4 of x(last time) - x(first time), or of v at the last time.
  std::array<double, 2> second_and_fourth(Variable variable) const;
  /// <|x(t) - x(first time)|^q> at every time, followed by a number derived from them: shape (times + 1).
  Grouped absolute_moments(double q, const std::function<double(const std::vector<double>&)>& number) const;
  /// Probability densities, with errors of at least one count. Shape (bins) over all times together, (times, bins) for
  /// each time; for two variables (..., bins of b, bins of a). survivors: only paths that have not ended. below:
  /// receives for each variable the probabilities of all bins below each of Axis::ends, shape (..., ends). halves:
  /// receives these probabilities in the first and in the second half of the times, if all times are taken together.
  /// from: of displacements since the time of this row.
  Grouped density(const Axis& a, const Axis* b, bool each_time, bool survivors = false,
                  std::vector<Grouped>* below = nullptr, std::vector<HalfMoments>* halves = nullptr,
                  uint32_t from = no_row) const;
  /// Most bins of a density that is compared between the halves: this takes memory for as many bins again.
  static constexpr size_t most_halved = 1 << 18;
  /// Density of x(t) - x(first time) at each time: shape (times, bins).
  Grouped displacement_density(const Axis& axis, std::vector<Grouped>* below = nullptr) const;
  /// <(z(t) - c)(z(t + lag) - c)> averaged over paths and times; lags are counted in recorded times. c is the mean over
  /// paths and times if `centred`, else 0. If `normalised`, divided by its value at lag 0. Shape (lags).
  Grouped correlation(Variable variable, size_t lags, bool centred, bool normalised) const;
  /// Probability current through the places L (i / count - 1/2), averaged from each mark to the next, with an error of
  /// at least one passage: shape (times - 1, count). mean: over the places, shape (times - 1).
  Grouped current(size_t count, Grouped* mean = nullptr) const;
  /// The first `count` paths: shape (count, times).
  std::vector<double> paths_of(Variable variable, size_t count) const;

 private:
  std::vector<uint32_t> rows(Variable variable) const;
  std::vector<uint64_t> counts_of_halves(const Axis& a, const Bins& bins_a, const Axis* b, const Bins& bins_b,
                                         std::vector<HalfMoments>& halves) const;
  size_t index_of(Variable variable) const;
  /// Unit of a recorded number: of a position its variable's length.
  double unit(Variable variable) const;
  double length() const { return unit(Variable::x); }
  class Sums;
  /// Sums of powers of x(last time) - x(first time), or of v at the last time.
  Sums final_sums(Variable variable) const;

  const Samples* samples_ = nullptr;
  std::vector<double> times_;
  std::vector<uint32_t> marks_;
  SampleValues values_;
};

}  // namespace bmsim
