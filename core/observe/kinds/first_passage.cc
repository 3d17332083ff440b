// The time, from t = 0 on, at which the unfolded x first reaches a level or leaves an interval, or ends at a wall.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"
#include "observe/probes.h"

namespace bmsim {

namespace {

constexpr double nowhere = 1e37;  // beyond all positions, as in kernels/levels.h

/// Sums over paths. A path is censored if it has not passed by the end of the run. The late half of the run shows how
/// such paths would go on.
enum Sum { path_count, time_sum, square_sum, censored_count, late_time, late_passed, sums };
using Sums = std::array<double, sums>;

/// Mean, variance, and fraction censored. A censored path is assumed to go on at the rate at which paths passed in the
/// late half of the run, as it does if the law has an exponential tail; for an exponential law this is the
/// maximum-likelihood estimate. Nothing is assumed if no path is censored. If more than half of the paths are, or if
/// the rate falls more like that of a power law than that of an exponential law, mean and variance are nan.
constexpr double most_censored = 0.5, least_slope = -0.5;
constexpr size_t fewest_for_variance = 512;  // paths: times are as skewed as an exponential law
std::array<double, 3> moments_of(const Sums& s, double end) {
  const double n = s[path_count], fraction = s[censored_count] / n;
  double mean = s[time_sum] / n, square = s[square_sum] / n;
  if (s[censored_count] > 0) {
    const double remaining = s[late_passed] > 0 ? s[late_time] / s[late_passed] : nan;
    mean += fraction * remaining;
    square += fraction * 2 * remaining * (end + remaining);
  }
  return {mean, (square - mean * mean) * n / (n - 1), fraction};
}

/// Passages in an octave of the run, and the time that paths were exposed to them.
struct Octave {
  double passed = 0, exposed = 0;
};
constexpr int most_octaves = 40;
/// Octave k of the run, counted backwards: octave 0 is from half of the run to its end.
Octave octave_of(std::span<const double> t, double end, int k) {
  const double to = std::ldexp(end, -k), from = to / 2;
  Octave octave;
  for (const double time : t) {
    const double seen = time < 0 ? end : time;
    octave.exposed += std::clamp(seen - from, 0.0, to - from);
    octave.passed += time > from && time <= to ? 1 : 0;
  }
  return octave;
}

/// Tail of the rate at which paths pass: the slope of its logarithm over that of time. It is 0 for an exponential tail
/// and -1 for a power law. Fitted to the last octaves of the run that hold 64 passages, at least two octaves; nan if
/// there are too few. octave(k): octave k.
template <class F> double slope_of_rate(F octave) {
  double weights = 0, x = 0, y = 0, xx = 0, xy = 0;
  size_t octaves = 0;
  for (int k = 0; k < most_octaves && (weights < 64 || octaves < 2); ++k) {
    const auto [passed, exposed] = octave(k);
    if (passed == 0) continue;
    const double rate = std::log(passed / exposed), place = -k * std::log(2.0);
    ++octaves;
    weights += passed, x += passed * place, y += passed * rate, xx += passed * place * place,
        xy += passed * place * rate;
  }
  return octaves < 2 ? nan : (xy - x * y / weights) / (xx - x * x / weights);
}

/// State of both counters (kernels/counters/first_passage.h, exit.h).
const TrajectoryField passed{FieldType::number, "passed",
                             "steps to the first passage; before it, minus the levels that count (bridge.h)"};
/// What both counters keep apart, in the order of SPARED, SQUARE and CHOICE in kernels/bridge.h.
const std::vector<TrajectoryField> waits_with = {
    {FieldType::number, "spared",
     "probability not to have met a level so far, over the uniform number at which it is met"},
    {FieldType::number, "square", "of a normal number, of the time within the step"},
    {FieldType::number, "choice", "a uniform number, of the same"}};

/// A fraction of n paths with its error, which is not 0 even if no path or every path is counted.
Estimate fraction_of(double fraction, double n) {
  const double seen = (fraction * n + 1) / (n + 2);
  return {std::round(fraction * n) / n, n < fewest_parts ? nan : std::sqrt(seen * (1 - seen) / (n + 2))};
}

/// Adds a path that passed at t to the sums. tick > 0: t counts the ticks of a random clock, which last `tick` on
/// average. The number k of ticks until a passage at time T has Poisson's law, so that T^2 has the mean of k (k - 1).
void add_path(double t, double end, double tick, Sums& s) {
  const double half = tick > 0 ? std::floor(end / tick / 2) * tick : end / 2;
  const bool open = t < 0;
  const double seen = open ? end : t;
  s[path_count] += 1;
  s[time_sum] += seen;
  s[square_sum] += seen * (seen - tick);
  s[censored_count] += std::isnan(t) ? t : open ? 1 : 0;
  s[late_time] += std::max(0.0, seen - half);
  s[late_passed] += !open && seen >= half * (1 - 1e-12) ? 1 : 0;
}
/// Mean, variance, and the fraction that had not passed at the end of the run.
std::vector<Estimate> moments_of(std::span<const double> t, double end, double tick) {
  const auto add = [&](size_t path, Sums& s) { add_path(t[path], end, tick, s); };
  std::vector<Estimate> columns =
      estimates(jackknife_of_sums<sums>(t.size(), add, [&](const Sums& s) { return moments_of(s, end); }));
  const double n = static_cast<double>(t.size());
  if (columns[2].value > 0 &&
      !(columns[2].value <= most_censored && slope_of_rate([&](int k) { return octave_of(t, end, k); }) > least_slope))
    columns[0] = columns[1] = {nan, nan};
  columns[1].error *= t.size() < fewest_for_variance ? nan : widening_of_squares(n);
  const Estimate open = fraction_of(columns[2].value, n);
  columns[2] = {open.value, std::isnan(columns[2].error) ? columns[2].error : open.error};
  return columns;
}

constexpr int pooled_octaves = 20;

/// Middles of bins, and the probability density in them over all paths, passed or not, with its error.
std::vector<std::vector<double>> density_of(std::span<const double> t, double width, size_t bins) {
  std::vector<double> density(bins), error(bins);
  const double n = static_cast<double>(t.size());
  for (const double time : t) {
    const double bin = std::floor(time / width);
    if (bin >= 0 && bin <= static_cast<double>(bins) && time <= width * static_cast<double>(bins))
      density[std::min(bins - 1, static_cast<size_t>(bin))] += 1 / n;
  }
  for (size_t i = 0; i < bins; ++i) {
    error[i] = fraction_of(density[i], n).error / width;  // an empty bin has one, too: A. Agresti, B. A. Coull, 1998
    density[i] /= width;
  }
  return {bin_centres(0, width, bins), std::move(density), std::move(error)};
}

/// Warning about points at which no path has `verb`, with an upper bound of the rate there; "" for none.
std::string none_warning(const Findings& found, const std::string& verb) {
  constexpr double at_95_percent = 3.0;  // -log 0.05: with so many expected passages none comes in 5 % of all runs
  size_t points = 0;
  double shortest = infinity;  // of all paths together
  for (size_t i = 0; i < found.facts.size(); ++i)
    if (found.columns[2][i].value == 1)
      ++points, shortest = std::min(shortest, found.facts[i].paths * found.facts[i].total);
  if (points == 0) return "";
  return fmt::format(
      "no path {} by the end of the run, at {} of {} points: mean and variance are nan there, and the rate, if it is "
      "constant, is below {:.2g} (95 % confidence: 3 over the time of all paths, {:.3g}); give more time",
      verb, points, found.facts.size(), at_95_percent / shortest, shortest);
}

std::vector<double> ends_of_bins(double width, size_t bins) {
  std::vector<double> ends;
  for (size_t i = 0; i < bins; ++i) ends.push_back(static_cast<double>(i + 1) * width);
  return ends;
}
/// The fractions of paths that counts(time, end) is true of, by end of a bin.
template <class F> Grouped fractions_at(const std::vector<double>& ends, std::span<const double> t, F counts) {
  Grouped fractions;
  const auto n = static_cast<double>(t.size());
  for (const double end : ends) {
    const auto counted = std::ranges::count_if(t, [&](double time) { return counts(time, end); });
    const Estimate fraction = fraction_of(static_cast<double>(counted) / n, n);
    fractions.value.push_back(fraction.value), fractions.error.push_back(fraction.error);
  }
  return fractions;
}

/// Statistics of the times that one of both counters has found.
class Passages : public Observable {
 public:
  std::vector<size_t> pooled_columns() const override { return {0, 1}; }
  /// Sums and octaves, over the number of paths.
  std::vector<double> pooled_numbers(const Measured& m) const override {
    const std::vector<double> t = times_of(m);
    const double end = m.facts.total;
    Sums s{};
    for (const double time : t) add_path(time, end, m.facts.tick, s);
    const auto n = static_cast<double>(t.size());
    std::vector<double> numbers;
    for (const double sum : s) numbers.push_back(sum / n);
    for (int k = 0; k < pooled_octaves; ++k) {
      const Octave octave = octave_of(t, end, k);
      numbers.push_back(octave.passed / n), numbers.push_back(octave.exposed / n);
    }
    return numbers;
  }
  std::vector<ColumnEstimate> of_pooled(const Pooled& pooled, const PointFacts& facts) const override {
    const double n = std::isfinite(pooled.paths) ? pooled.paths : 1e15;
    const auto moment = [&](size_t i) {
      return pooled.function([=](const std::vector<double>& x) {
        Sums s;
        for (size_t k = 0; k < s.size(); ++k) s[k] = x[k] * n;
        return moments_of(s, facts.total)[i];
      });
    };
    const auto octave = [&](int k) {
      if (k >= pooled_octaves) return Octave();
      const size_t at = sums + 2 * static_cast<size_t>(k);
      return Octave{pooled.mean[at] * n, pooled.mean[at + 1] * n};
    };
    const double open = pooled.mean[censored_count];
    const bool known = !(open > 0) || (open <= most_censored && slope_of_rate(octave) > least_slope);
    const Estimate unknown{nan, nan};
    return {{0, known ? moment(0) : unknown}, {1, known ? moment(1) : unknown}};
  }
  std::string warning(const Findings& found) const override {
    double most = 0;
    size_t points = 0, unknown = 0, few = 0;
    const std::string none = none_warning(found, verb_);
    for (size_t i = 0; i < found.facts.size(); ++i) {
      const Estimate& censored = found.columns[2][i];
      if (censored.value == 1) continue;
      most = std::max(most, std::isnan(censored.value) ? 0 : censored.value);
      points += censored.value > 0 ? 1 : 0;
      unknown += censored.value > 0 && std::isnan(found.columns[0][i].value) ? 1 : 0;
      few += std::isfinite(found.columns[1][i].value) && std::isnan(found.columns[1][i].error) ? 1 : 0;
    }
    std::string text;
    if (most >= 0.01 || unknown > 0)  // what is assumed of fewer paths matters little
      text = fmt::format("up to {:.3g} % of the paths {} by the end of the run, at {} of {} points", 100 * most,
                         negated_verb_, points, found.facts.size());
    if (unknown > 0)
      text += fmt::format(
          "; mean and variance are nan at {} of them, where more than half had not, or where the rate of passages "
          "falls as a power law's, of which the mean may be infinite",
          unknown);
    if (!text.empty() || !none.empty())
      return fmt::format("{}: {}{}{}", name(), none, text.empty() || none.empty() ? "" : "; elsewhere ", text);
    if (few > 0 && found.facts[0].paths >= fewest_parts)
      return fmt::format("{}: the error of the variance is nan with less than {} paths", name(), fewest_for_variance);
    return Observable::warning(found);
  }

 protected:
  /// times: their name in Window::counted. negated_verb: "had not passed"; verb: "passed".
  Passages(const char* times, const char* negated_verb, const char* verb)
      : times_(times), negated_verb_(negated_verb), verb_(verb) {}
  void read_bins(Options& options, size_t fewest) {
    bins_ = options.count("bins", 50, fewest, 100000);
    longest_ = options.number("longest", 0, 0, 1e300);
  }
  /// Times at which paths passed; negative for those that did not.
  std::vector<double> times_of(const Measured& m) const {
    const std::span<const double> steps = m.window.counted.at(times_);
    std::vector<double> t(steps.begin(), steps.end());
    for (double& time : t) time *= m.window.dt;
    return t;
  }
  /// Whether bins are the same at all points; else they are parts of the run.
  bool has_bins(const PointFacts& facts) const { return longest_ > 0 || facts.same_times; }
  double width(double run) const { return (longest_ > 0 ? longest_ : run) / static_cast<double>(bins_); }
  double width_at(const PointFacts& facts) const { return width(has_bins(facts) ? facts.total : 1); }

  size_t bins_ = 0;
  double longest_ = 0;

 private:
  const char *times_, *negated_verb_, *verb_;
};

class FirstPassage : public Passages {
 public:
  explicit FirstPassage(Options options)
      : Passages("first_passage.time", "had not passed", "passed"), to_(options.ascending("to", -infinity)) {
    read_bins(options, 0);
    if (to_.empty()) fail("observe.first_passage: to must be given: a position, or the two ends of an interval");
    if (to_.size() > 2)
      fail("observe.first_passage: to must be a position, or the two ends of an interval, got {} numbers", to_.size());
    const double from = options.number("from", infinity, -infinity, infinity);
    options.end();
    if (from == infinity) return;
    from_ = from;
    if (from == to_[0]) fail("observe.first_passage: from must differ from to, got {}", from);
    if (to_.size() == 2 && !(from > to_[0] && from < to_[1]))
      fail("observe.first_passage: from must be in the interval ({}, {}), got {}", to_[0], to_[1], from);
  }
  std::string name() const override { return "first_passage"; }
  std::vector<std::string> columns() const override {
    return {"mean_first_passage_time", "first_passage_variance", "first_passage_censored"};
  }
  ColumnLabel label(const std::string& column) const override {
    if (column == columns()[0]) return {"<t_FP>", "time", "mean first-passage time"};
    if (column == columns()[1]) return {"Var t_FP", "time^2", "variance of the first-passage time"};
    return {"censored", "", "fraction of the paths that did not pass within the run"};
  }
  Needs needs() const override {
    return {.windows = true, .ticks = bins_ == 0, .looks = Looks::at_levels, .start_x = from_, .levels = to_};
  }
  std::string asks_for_times() const override { return "mean and variance are known, not the density: bins = 0"; }
  std::vector<Counter> counters(const PointFacts& facts) const override {
    return {{.name = "first_passage",
             .type = "FirstPassage",
             .parameters = {{FieldType::number, "low", {facts.level_seen(to_.front())}},
                            {FieldType::number, "high", {facts.level_seen(to_.back())}}},
             .state = {passed},
             .apart = waits_with,
             .values = {"time"}}};
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    if (bins_ == 0) return {};
    Coordinate time{"passage_time", "t", "time", {}};
    if (!has_bins(facts)) time = {"passage_fraction", "t/run", "", {}};
    time.values = bin_centres(0, width_at(facts), bins_);
    return with_errors({"first_passage_density", "p(t_FP)", "1/time", {time}, {}},
                       {{"first_passage_time", "t", "time", {time}, {}}});
  }
  void measure(const Measured& m, std::vector<Estimate>& columns,
               std::vector<std::vector<double>>& arrays) const override {
    const std::vector<double> t = times_of(m);
    columns = moments_of(t, m.facts.total, m.facts.tick);
    if (bins_ == 0) return;
    arrays = density_of(t, width(m.facts.total), bins_);
    const auto passed_by = [](double time, double end) { return time >= 0 && time <= end; };
    give_probes({fractions_at(ends_of_bins(width(m.facts.total), bins_), t, passed_by)}, m);
  }
  std::vector<Array> probes(const PointFacts& facts) const override {
    if (bins_ == 0) return {};
    Coordinate by = arrays(facts)[0].coordinates[0];
    const double half = by.values[0];
    for (double& time : by.values) time += half;
    by.label += " <";
    return with_errors({"first_passage_by", "probability", "", {by}, {}});
  }

 private:
  std::vector<double> to_;
  std::optional<double> from_;
};

class Exits : public Passages {
 public:
  explicit Exits(Options options) : Passages("exit.time", "had no exit", "had an exit") {
    read_bins(options, 1);
    options.end();
  }
  std::string name() const override { return "exits"; }
  std::vector<std::string> columns() const override {
    return {"mean_exit_time", "exit_time_variance", "survival", "exit_above"};
  }
  ColumnLabel label(const std::string& column) const override {
    if (column == "mean_exit_time") return {"<t_exit>", "time", "mean time to the exit"};
    if (column == "exit_time_variance") return {"Var t_exit", "time^2", "variance of the time to the exit"};
    if (column == "survival") return {"S", "", "fraction of the paths without an exit within the run"};
    return {"p_above", "", "fraction of the paths that left through the upper wall"};
  }
  Needs needs() const override { return {.windows = true, .looks = Looks::at_levels}; }
  std::vector<Counter> counters(const PointFacts& facts) const override {
    const auto place = [&](double wall) { return std::clamp(wall / facts.length(), -nowhere, nowhere); };
    return {{.name = "exit",
             .type = "Exit",
             .parameters = {{FieldType::number, "low", {place(facts.exits.low)}},
                            {FieldType::number, "high", {place(facts.exits.high)}}},
             .state = {passed, {FieldType::byte, "above", "whether it was the upper wall"}},
             .apart = waits_with,
             .values = {"time", "above"}}};
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    Coordinate middle{"exit_time", "t", "time", {}}, end{"survival_time", "t", "time", {}};
    if (!has_bins(facts)) middle = {"exit_fraction", "t/run", "", {}}, end = {"survival_fraction", "t/run", "", {}};
    middle.values = bin_centres(0, width_at(facts), bins_);
    end.values = ends_of_bins(width_at(facts), bins_);
    return {{"exit_times", "t", "time", {middle}, {}},
            {"exit_density", "p(t_exit)", "1/time", {middle}, {}},
            {"exit_density_err", "p(t_exit)", "1/time", {middle}, {}},
            {"survival_times", "t", "time", {end}, {}},
            {"survival_probability", "S(t)", "", {end}, {}},
            {"survival_probability_err", "S(t)", "", {end}, {}}};
  }
  void measure(const Measured& m, std::vector<Estimate>& columns,
               std::vector<std::vector<double>>& arrays) const override {
    const std::vector<double> t = times_of(m);
    const std::span<const double> above = m.window.counted.at("exit.above");
    columns = moments_of(t, m.facts.total, m.facts.tick);
    const auto n = static_cast<double>(t.size());
    double upper = 0;
    for (size_t i = 0; i < t.size(); ++i) upper += t[i] >= 0 ? above[i] : 0;
    columns.push_back(std::isnan(columns[2].value) ? columns[2] : fraction_of(upper / n, n));
    arrays = density_of(t, width(m.facts.total), bins_);
    const std::vector<double> ends = ends_of_bins(width(m.facts.total), bins_);
    const auto inside = [](double exit, double end) { return exit < 0 || exit > end; };
    const Grouped survival = fractions_at(ends, t, inside);
    arrays.insert(arrays.end(), {ends, survival.value, survival.error});
  }
};

void check_start_of_formula(const ObservableRequest& request, const std::string& formula) {
  if (request.numbers.contains("from"))
    fail(
        "observe.first_passage: from is an initial value of a variable; {} is a formula, give the initial values of "
        "its variables to the run",
        formula);
}

}  // namespace

const ObservableKind observable_first_passage = {
    .name = "first_passage",
    .summary = "the time at which x first reaches a level, or leaves an interval",
    .options = "bins from longest to",
    .make = made<FirstPassage>,
    .of = ObservableKind::named,
    .of_formulas = true,
    .of_plain_velocities = true,
    .check_formula = check_start_of_formula,
};
const ObservableKind observable_exits = {
    .name = "exits",
    .summary = "when and where paths end at walls that absorb",
    .options = "bins longest",
    .make = made<Exits>,
    .of = ObservableKind::named,
    .of_ending_paths = true,
    .of_exits = true,
};

}  // namespace bmsim
