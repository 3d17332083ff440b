// Residence in two states of the unfolded x, as a Schmitt trigger sees them: the lower one from when x comes to or
// below `from`, the upper one from when it comes to or above `to`.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

class Residence : public Observable {
 public:
  explicit Residence(Options options)
      : from_(options.number("from", unset, -unset, unset)), to_(options.number("to", unset, -unset, unset)) {
    options.end();
    if (from_ == unset || to_ == unset)
      fail("observe.residence: give both from and to, the levels at which the lower and the upper state begin");
    if (!(from_ < to_)) fail("observe.residence: from must be < to = {}, got {}", to_, from_);
  }
  std::string name() const override { return "residence"; }
  std::vector<std::string> columns() const override {
    return {"residence_low", "residence_high", "residence_low_fraction"};
  }
  ColumnLabel label(const std::string& column) const override {
    if (column == columns()[0]) return {"tau_low", "time", "mean residence time in the lower state"};
    if (column == columns()[1]) return {"tau_high", "time", "mean residence time in the upper state"};
    return {"p_low", "", "fraction of the time in the lower state"};
  }
  Needs needs() const override { return {.windows = true, .looks = Looks::at_levels}; }
  std::vector<Counter> counters(const PointFacts& facts) const override {
    return {{.name = "residence",
             .type = "Residence",
             .parameters = {{FieldType::number, "low", {from_ / facts.length()}},
                            {FieldType::number, "high", {to_ / facts.length()}}},
             .state =
                 {{FieldType::word, "stays",
                   "4 times the stays that ended within the window, plus UP in the lower state, DOWN in the upper one, "
                   "both in neither yet"}},
             .apart = {{FieldType::number, "since", "steps at which the trajectory entered its present state"},
                       {FieldType::number, "resided",
                        "steps in the lower and in the upper state, of stays that ended within the window", 2, true}},
             .values = {"low_time", "high_time", "low_left", "high_left", "since", "state"}}};
  }
  std::vector<size_t> pooled_columns() const override { return {0, 1, 2}; }
  std::vector<double> pooled_numbers(const Measured& m) const override {
    const Visits low("low", 1, m.window), high("high", 2, m.window);
    std::vector<double> numbers(4);
    const auto n = static_cast<double>(low.left.size());
    for (size_t path = 0; path < low.left.size(); ++path) {
      numbers[0] += low.time(path) / n, numbers[1] += high.time(path) / n;
      numbers[2] += low.left[path] / n, numbers[3] += high.left[path] / n;
    }
    return numbers;
  }
  std::vector<ColumnEstimate> of_pooled(const Pooled& pooled, const PointFacts&) const override {
    const double low_ended = pooled.mean[2] * pooled.paths, high_ended = pooled.mean[3] * pooled.paths;
    const double ended[] = {low_ended, high_ended, std::min(low_ended, high_ended)};
    std::vector<ColumnEstimate> column_estimates;
    for (const size_t i : {0, 1, 2}) {
      Estimate estimate = pooled.function([i](const std::vector<double>& s) {
        return i == 2 ? s[0] / (s[0] + s[1]) : s[i + 2] > 0 ? s[i] / s[i + 2] : nan;
      });
      if (ended[i] < fewest_visits) estimate.error = nan;
      column_estimates.push_back({i, estimate});
    }
    return column_estimates;
  }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    const Visits low("low", 1, m.window), high("high", 2, m.window);
    double low_ended = 0, high_ended = 0;
    // Time in a state over the number of exits from it. Visits that the ends of the window cut off count with the part
    // inside, so that long visits are not missed.
    const auto add = [&](size_t path, std::array<double, 4>& sums) {
      sums[0] += low.time(path);
      sums[1] += high.time(path);
      sums[2] += low.left[path];
      sums[3] += high.left[path];
      low_ended += low.left[path];
      high_ended += high.left[path];
    };
    columns = estimates(jackknife_of_sums<4>(low.left.size(), add, [](const std::array<double, 4>& s) {
      const auto per_visit = [](double time, double left) { return left > 0 ? time / left : nan; };
      return std::array<double, 3>{per_visit(s[0], s[2]), per_visit(s[1], s[3]), s[0] / (s[0] + s[1])};
    }));
    const double ended[] = {low_ended, high_ended, std::min(low_ended, high_ended)};
    for (size_t i = 0; i < 3; ++i)
      if (ended[i] < fewest_visits) columns[i].error = nan;
  }
  std::string warning(const Findings& found) const override {
    size_t few = 0, stayed = 0;
    double shortest = infinity;  // of all paths together, in a state that no path left
    for (size_t i = 0; i < found.facts.size(); ++i) {
      const double low = found.columns[2][i].value, time = found.facts[i].paths * found.facts[i].window();
      const bool low_left = std::isfinite(found.columns[0][i].value),
                 high_left = std::isfinite(found.columns[1][i].value);
      const double in_low = low_left || !(low > 0) ? shortest : low * time;
      const double in_high = high_left || !(low < 1) ? shortest : (1 - low) * time;
      if (std::min(in_low, in_high) < shortest) shortest = std::min(in_low, in_high);
      stayed += (!low_left && low > 0) || (!high_left && low < 1) ? 1 : 0;
      few += std::ranges::any_of(found.columns,
                                 [&](const std::vector<Estimate>& column) { return std::isnan(column[i].error); });
    }
    if (few == 0 || found.facts[0].paths < fewest_paths()) return Observable::warning(found);
    std::string text = fmt::format(
        "residence: a state was left less than {} times within the window, or met by no path, at {} of {} "
        "points, where errors are nan; more time or paths would do",
        fewest_visits, few, found.facts.size());
    constexpr double at_95_percent = 3.0;  // -log 0.05: with so many expected exits none comes in 5 % of all runs
    if (stayed > 0)
      text += fmt::format(
          "; at {} of them no path left a state, whose rate of exits is below {:.2g} (95 % confidence: 3 "
          "over the time spent there, {:.3g})",
          stayed, at_95_percent / shortest, shortest);
    return text;
  }

 private:
  /// Visits of each path to a state: the number of exits from it, and the time in visits that have ended and in the
  /// last.
  class Visits {
   public:
    Visits(const std::string& name, double state, const Window& window)
        : left(window.counted.at("residence." + name + "_left")),
          ended_(window.counted.at("residence." + name + "_time")),
          since_(window.counted.at("residence.since")),
          last_(window.counted.at("residence.state")),
          state_(state),
          window_(window) {}
    double time(size_t path) const {
      double steps = ended_[path];
      if (std::isnan(since_[path]) || last_[path] == state_)
        steps += window_.total_steps - std::max(since_[path], window_.transient_steps);
      return steps * window_.dt;
    }
    std::span<const double> left;

   private:
    std::span<const double> ended_, since_, last_;
    double state_;
    const Window& window_;
  };
  static constexpr double fewest_visits = 16;  // fewest whose scatter gives an error
  static constexpr double unset = infinity;
  double from_, to_;
};

}  // namespace

const ObservableKind observable_residence = {
    .name = "residence",
    .summary = "the mean times in two states, low and high, and the fraction in the low one",
    .options = "from to",
    .make = made<Residence>,
    .of = ObservableKind::named,
    .of_formulas = true,
    .of_plain_velocities = true,
};

}  // namespace bmsim
