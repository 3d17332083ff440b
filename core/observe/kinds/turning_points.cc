// Rate of turning points of x. A maximum counts when x has fallen from it by a threshold, a minimum when x has risen by
// as much, so that only lasting reversals of the velocity count. Without a threshold a path driven by white noise would
// turn infinitely often.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

class TurningPoints : public Observable {
 public:
  explicit TurningPoints(Options options) : threshold_(options.number("threshold", 0, 0, 1e300)) {
    options.end();
    if (!(threshold_ > 0))
      fail(
          "observe.turning_points: threshold must be given and > 0: how far x goes back before a turning point counts");
  }
  std::string name() const override { return "turning_points"; }
  std::vector<std::string> columns() const override { return {"turning_rate"}; }
  ColumnLabel label(const std::string&) const override { return {"r_turn", "1/time", "turning points per time"}; }
  Needs needs() const override {
    return {.windows = true, .law = true, .looks = Looks::anywhere, .distance = threshold_};
  }
  std::vector<Counter> counters(const PointFacts& facts) const override {
    return {{.name = "turning_points",
             .type = "TurningPoints",
             .parameters = {{FieldType::number, "threshold", {threshold_ / facts.length()}}},
             .state = {{FieldType::number, "periods", "taken off when `high` and `low` were last folded"},
                       {FieldType::real, "high", "highest x / L since the last turning point, folded"},
                       {FieldType::real, "low", "lowest"},
                       {FieldType::word, "turns", "turning points in the window"},
                       {FieldType::word, "turns_to", "UP: the next one is a minimum; DOWN; both: not known yet"}},
             .values = {"turns"}}};
  }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    const std::span<const double> turns = m.window.counted.at("turning_points.turns");
    const Estimate count = mean(turns);
    columns = {{count.value / m.window.duration, count.error / m.window.duration}};
    if (!(count.value * static_cast<double>(turns.size()) >= fewest_turns)) columns[0].error = nan;
    if (too_small(m.facts)) columns[0] = {nan, nan};
  }
  std::string warning(const Findings& found) const override {
    size_t few = 0, small = 0;
    double short_enough = infinity;
    for (size_t i = 0; i < found.facts.size(); ++i) {
      if (too_small(found.facts[i])) {
        ++small;
        short_enough = std::min(short_enough, longest_step(found.facts[i]));
      }
      few += std::isnan(found.columns[0][i].error) ? 1 : 0;
    }
    if (small > 0)
      return fmt::format(
          "turning_points: nan at {} of {} points, where the threshold {} is less than {} times the noise of a step; "
          "dt = {:.2g} would do",
          small, found.facts.size(), threshold_, least_threshold, 0.95 * short_enough);
    if (few == 0 || found.facts[0].paths < fewest_paths()) return Observable::warning(found);
    return fmt::format("turning_points: less than {} in all at {} of {} points, where the error is nan", fewest_turns,
                       few, found.facts.size());
  }

 private:
  static constexpr double fewest_turns = 16;     // fewest whose scatter gives an error
  static constexpr double least_threshold = 10;  // in standard deviations of a step's Gaussian noise, where it moves x
  bool too_small(const PointFacts& facts) const {
    return facts.mass == 0 && threshold_ < least_threshold * std::sqrt(2 * facts.thermal * facts.dt);
  }
  double longest_step(const PointFacts& facts) const {
    return std::pow(threshold_ / least_threshold, 2) / (2 * facts.thermal);
  }
  double threshold_;
};

}  // namespace

const ObservableKind observable_turning_points = {
    .name = "turning_points",
    .summary = "how often x turns round by more than a threshold, per time",
    .options = "threshold",
    .make = made<TurningPoints>,
    .of = ObservableKind::named,
    .of_formulas = true,
    .of_plain_velocities = true,
};

}  // namespace bmsim
