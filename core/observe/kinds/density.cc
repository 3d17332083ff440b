// Probability densities of x modulo the period, of v, and of both: counts in bins over the number of paths and the size
// of a bin, at `count` times of the window together, or at each of `times`. Of x over the window, where the method can
// tell: the time spent in each bin.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

constexpr size_t most_cells = 10000000;  // of a point: 32 groups of paths have 64 bits for each

/// What the three have in common.
class Density : public Observable {
 public:
  Density(const ObservableRequest& request, const Times& times, std::vector<Axis> axes)
      : name_(request.name), times_(times), axes_(std::move(axes)) {
    size_t cells = times_.given() ? times_.coordinate().values.size() : 1;
    for (const Axis& axis : axes_) cells *= axis.count;
    if (cells > most_cells) fail("observe.{}: at most {} bins in all, got {}", name_, most_cells, cells);
  }
  std::string name() const override { return name_; }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override {
    Needs needs;
    if (of_window()) needs.bins = axes_[0].count;
    needs.early_law = times_.given();
    return needs;
  }
  std::vector<double> times(const PointFacts& facts) const override {
    for (const Axis& axis : axes_) {
      if (axis.folded && facts.period <= 0) fail("observe.{}: the potential must be periodic", name_);
      if (axis.variable == Variable::v && facts.mass == 0)
        fail("observe.{}: is for underdamped models; the model is overdamped", name_);
    }
    return of_window() && facts.occupation ? std::vector<double>() : times_.at(facts, name_);
  }
  std::vector<Array> arrays(const PointFacts&) const override {
    std::vector<Coordinate> coordinates;
    if (times_.given()) coordinates.push_back(times_.coordinate());
    std::string variables, unit;
    for (size_t i = axes_.size(); i-- > 0;) coordinates.push_back(coordinate(axes_[i]));
    for (const Axis& axis : axes_) {
      variables += std::string(variables.empty() ? "" : ", ") + (axis.folded ? "x" : "v");
      unit += std::string(unit.empty() ? "" : " ") + (axis.folded ? "1/length" : "time/length");
    }
    const std::string label = "p(" + variables + ")";
    return {{name_, label, unit, coordinates, {}}, {name_ + "_err", label, unit, coordinates, {}}};
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    const Grouped p = !m.occupation.empty() && of_window() ? of_times(m) : m.recording.density(axes_[0], axes_.size() > 1 ? &axes_[1] : nullptr, times_.given());
    arrays = {p.value, p.error};
  }

 private:
  bool of_window() const { return !times_.given() && axes_.size() == 1 && axes_[0].folded; }
  Grouped of_times(const Measured& m) const {
    const size_t bins = axes_[0].count, groups = m.occupation.size() / bins;
    const double share = m.facts.window() * axes_[0].width(m.facts.period);
    const GroupSums sums(m.occupation, groups, bins);
    return jackknife(groups, [&](size_t without) {
      const auto paths = static_cast<double>(m.recording.paths() - (without < groups ? m.recording.size_of(without) : 0));
      std::vector<double> density;
      for (size_t i = 0; i < bins; ++i) density.push_back(sums.rest(0, i, without) / (paths * share));
      return density;
    });
  }
  static Coordinate coordinate(const Axis& axis) {
    const double from = axis.folded ? -0.5 : axis.from, width = axis.folded ? 1 : axis.to - axis.from;
    Coordinate made = axis.folded ? Coordinate{"position", "x/L", "", {}} : Coordinate{"velocity_bin", "v", "length/time", {}};
    for (size_t i = 0; i < axis.count; ++i)
      made.values.push_back(from + (static_cast<double>(i) + 0.5) * width / static_cast<double>(axis.count));
    return made;
  }

  std::string name_;
  Times times_;
  std::vector<Axis> axes_;
};

Axis position_axis(Options& options, size_t bins) {
  Axis axis{Variable::x, options.count("bins", bins, 2, 100000), 0, 0, true};
  return axis;
}

Axis velocity_axis(Options& options, const char* bins, size_t otherwise) {
  Axis axis{Variable::v, options.count(bins, otherwise, 2, 100000)};
  const std::vector<double> range = options.ascending("range", -1e300);
  if (range.size() != 2) fail("observe.{}: range must be given, the lowest and the highest v", options.subject());
  axis.from = range[0], axis.to = range[1];
  return axis;
}

}  // namespace

std::unique_ptr<Observable> make_density(const ObservableRequest& request) {
  Options options(request);
  const Axis x = position_axis(options, 100);
  const Times times(options, 200);
  options.end();
  return std::make_unique<Density>(request, times, std::vector<Axis>{x});
}

std::unique_ptr<Observable> make_velocity_density(const ObservableRequest& request) {
  Options options(request);
  const Axis v = velocity_axis(options, "bins", 100);
  const Times times(options, 200);
  options.end();
  return std::make_unique<Density>(request, times, std::vector<Axis>{v});
}

std::unique_ptr<Observable> make_joint_density(const ObservableRequest& request) {
  Options options(request);
  const Axis x = position_axis(options, 50), v = velocity_axis(options, "velocity_bins", 50);
  const Times times(options, 200);
  options.end();
  return std::make_unique<Density>(request, times, std::vector<Axis>{x, v});
}

}  // namespace bmsim
