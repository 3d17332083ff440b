// The time-averaged squared displacement of every path, 1/(T - lag) times the integral of (x(t + lag) - x(t))^2 over t:
// its mean over the paths, its scatter between them, and the ergodicity-breaking parameter EB, its relative variance.
// Y. He, S. Burov, R. Metzler, E. Barkai, Phys. Rev. Lett. 101, 058101 (2008).
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

class TimeAveragedMsd : public Observable {
 public:
  explicit TimeAveragedMsd(Options options)
      : count_(options.count("count", 257, 3, 1'000'000)), given_(options.ascending("lags", 1e-300)) {
    options.end();
  }
  std::string name() const override { return "time_averaged_msd"; }
  std::vector<std::string> columns() const override { return {}; }
  std::vector<double> times(const PointFacts& facts) const override {
    lags_at(facts);  // which checks the lags
    return evenly_spaced(facts, step_at(facts), count_);
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    Coordinate lag{"lag", "lag", "time", {}};
    const double step = facts.same_times ? step_at(facts) : 1;
    const bool asked = !facts.same_times && !given_.empty();
    if (!facts.same_times)
      lag = asked ? Coordinate{"asked_lag", "lag, to the next record", "time", given_}
                  : Coordinate{"records", "lag in records", "", {}};
    if (!asked)
      for (const size_t records : lags_at(facts)) lag.values.push_back(step * static_cast<double>(records));
    const std::string squares = "length^2", mean = "<d^2(lag)>", scatter = "s(d^2(lag))", EB = "EB(lag)";
    return {{name(), mean, squares, {lag}, {}},
            {name() + "_err", mean, squares, {lag}, {}},
            {name() + "_scatter", scatter, squares, {lag}, {}},
            {name() + "_scatter_err", scatter, squares, {lag}, {}},
            {breaking, EB, "", {lag}, {}},
            {std::string(breaking) + "_err", EB, "", {lag}, {}}};
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    const size_t paths = m.recording.paths();
    const std::vector<double> x = m.recording.paths_of(Variable::x, paths);
    arrays.assign(6, {});
    for (const size_t lag : lags_at(m.facts)) {
      const auto add = [&](size_t path, std::array<double, 3>& sums) {
        const double* positions = x.data() + path * count_;
        double sum = 0;
        for (size_t i = 0; i + lag < count_; ++i)
          sum += (positions[i + lag] - positions[i]) * (positions[i + lag] - positions[i]);
        const double mean = sum / static_cast<double>(count_ - lag);
        sums[0] += 1, sums[1] += mean, sums[2] += mean * mean;
      };
      const Grouped statistics = jackknife_of_sums<3>(paths, add, [](const std::array<double, 3>& sums) {
        const double n = sums[0], mean = sums[1] / n, square = sums[2] / n;
        const double variance = std::max(0.0, square - mean * mean) * n / (n - 1);
        return std::array<double, 3>{mean, std::sqrt(variance), variance / (mean * mean)};
      });
      for (size_t i = 0; i < 3; ++i) {
        arrays[2 * i].push_back(statistics.value[i]);
        const bool known = i == 0 || static_cast<double>(paths) >= fewest_for_scatter(lag, statistics.value[2]);
        const double widening = widening_of_squares(static_cast<double>(paths), statistics.asymmetry[i]);
        arrays[2 * i + 1].push_back(known ? statistics.error[i] * widening : nan);
      }
    }
  }
  std::string own_warning(const Findings& found) const override {
    double fewest = 0, paths = infinity;
    for (const PointFacts& facts : found.facts) paths = std::min(paths, facts.paths);
    for (const Array& array : found.arrays) {
      if (array.name != breaking) continue;
      const std::vector<size_t> lags = lags_at(found.facts[0]);
      for (size_t i = 0; i < array.values.size(); ++i)
        fewest = std::max(fewest, fewest_for_scatter(lags[i % lags.size()], array.values[i]));
    }
    if (!(paths < fewest)) return "";
    return fmt::format(
        "{}: the standard errors of its scatter and of EB are nan at long lags with {} paths, since few make the tails "
        "there; {:.0f} would do",
        name(), paths, fewest);
  }
  Sampling sampling() const override { return Sampling::evenly; }
  double order(const std::string& array) const override {
    return array.starts_with(name()) && !is_scatter(array) ? 2 : 4;
  }

 private:
  static constexpr const char* breaking = "ergodicity_breaking";

  /// Fewest paths that give the errors of the scatter and of EB. Averages over few independent pairs have a skewed law,
  /// the more so the longer the lag. Moderate tails in a sample do not count: ensembles that happen to have met few
  /// would pass more often. Tails are moderate up to an EB of 2, the largest of a Gaussian displacement at any lag.
  double fewest_for_scatter(size_t lag, double EB) const {
    constexpr double for_lags = 8192, for_tails = 2048, moderate = 2;
    const double part = static_cast<double>(lag) / static_cast<double>(count_ - 1);
    return std::max(for_lags * part * part, EB > moderate ? for_tails * EB * EB : 0);
  }
  static bool is_scatter(const std::string& array) { return array.find("_scatter") != array.npos; }

  /// Time between two records: a whole number of steps of the run, so that lags are the same all along a path.
  double step_at(const PointFacts& facts) const {
    const double steps = std::floor(facts.window() / facts.dt / static_cast<double>(count_ - 1) * (1 + 1e-12));
    if (steps < 1)
      fail(
          "observe.time_averaged_msd: count must be at most one more than the steps of the window, {:.0f}, got {}; "
          "lower count, or give the run a shorter dt",
          facts.window() / facts.dt, count_);
    return facts.dt * steps;
  }
  /// The lags in records: as given, or 1, 2, 4, ... up to a quarter of the records.
  std::vector<size_t> lags_at(const PointFacts& facts) const {
    std::vector<size_t> lags;
    if (given_.empty()) {
      for (size_t lag = 1; lag == 1 || 4 * lag < count_; lag *= 2) lags.push_back(lag);
      return lags;
    }
    const double step = step_at(facts), last = step * static_cast<double>(count_ - 1);
    for (const double lag : given_) {
      if (lag < step * (1 - 1e-9) || lag > last * (1 + 1e-9))
        fail(
            "observe.time_averaged_msd: lags must be from {:.6g}, the time between two of {} records, to {:.6g}, that "
            "of all, got {}",
            step, count_, last, lag);
      lags.push_back(static_cast<size_t>(std::round(lag / step)));
      if (lags.size() > 1 && lags[lags.size() - 2] == lags.back())
        fail("observe.time_averaged_msd: lags must be {:.6g} apart, the time between two of {} records, got {} and {}",
             step, count_, given_[lags.size() - 2], lag);
    }
    return lags;
  }

  size_t count_;
  std::vector<double> given_;
};

}  // namespace

const ObservableKind observable_time_averaged_msd = {
    .name = "time_averaged_msd",
    .summary = "the squared displacement over a lag, averaged along each path: mean, scatter, EB",
    .options = "count lags",
    .make = made<TimeAveragedMsd>,
    .of_formulas = true,
};

}  // namespace bmsim
