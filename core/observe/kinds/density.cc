// Probability densities of x (modulo the period, or unfolded in a range), of v, and of both: counts in bins over the
// number of paths and the size of a bin, at `count` times of the window together, or at each of `times`. With method
// exact the density of x modulo the period over the window is found from the time spent in each bin. Also the density
// of displacements since the first time.
#include <optional>

#include "error.h"
#include "observe/known.h"
#include "observe/occupation.h"
#include "observe/of_variable.h"
#include "observe/options.h"
#include "observe/probes.h"

namespace bmsim {

namespace {

constexpr size_t most_cells = 10000000;  // of a point: each of 32 path groups has 64 bits for each

/// Density of x, of v, or of both.
class Density : public Observable {
 public:
  Density(const ObservableRequest& request, const Times& times, std::vector<Axis> axes)
      : name_(request.name), times_(times), axes_(std::move(axes)) {
    size_t cells = times_.given() ? times_.count() : 1;
    for (const Axis& axis : axes_) cells *= axis.count;
    if (cells > most_cells) fail("observe.{}: at most {} bins in all, got {}", name_, most_cells, cells);
  }
  std::string name() const override { return name_; }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override {
    return {.ticks = !times_.given(),
            .velocities = std::ranges::any_of(axes_, [](const Axis& axis) { return axis.variable == Variable::v; }),
            .early_law = times_.given(),
            .narrow_parts = true,
            .first_time = times_.first()};
  }
  std::string asks_for_times() const override { return "it is known over the window, without times"; }
  std::vector<Counter> counters(const PointFacts& facts) const override {
    if (!counts_time(facts)) return {};
    return {occupation(facts).counter()};
  }
  std::vector<double> times(const PointFacts& facts) const override {
    for (const Axis& axis : axes_) {
      if (axis.folded && facts.period <= 0)
        fail("observe.{}: the potential must be periodic, or {} given, the lowest and the highest x", name_,
             axes_.size() > 1 ? "position_range" : "range");
      if (axis.variable == Variable::v && facts.mass == 0)
        fail("observe.{}: is for underdamped models; the model is overdamped", name_);
    }
    check_survivors(name_, times_, facts);
    return counts_time(facts) ? std::vector<double>() : times_.at(facts, name_);
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    std::vector<Coordinate> coordinates;
    if (times_.given()) coordinates.push_back(times_.coordinate(facts));
    std::string variables;
    size_t times = 0;
    for (size_t i = axes_.size(); i-- > 0;) coordinates.push_back(coordinate(axes_[i]));
    for (const Axis& axis : axes_) {
      variables += std::string(variables.empty() ? "" : ", ") + (axis.variable == Variable::x ? "x" : "v");
      times += axis.variable == Variable::x ? 0 : 1;
    }
    const std::string unit = density_unit(axes_.size(), times);
    const std::string label = "p(" + variables + ")";
    return with_errors({name_, label, unit, coordinates, {}});
  }
  std::optional<PositionDensity> position_density() const override {
    if (axes_.size() > 1 || axes_[0].variable != Variable::x) return {};
    return {{0, axes_[0].folded}};
  }
  Sampling sampling() const override { return times_.given() ? Sampling::each : Sampling::together; }
  std::vector<Array> probes(const PointFacts& facts) const override {
    std::vector<Array> below;
    for (size_t i = 0; i < axes_.size() && !counts_time(facts); ++i)
      add_probes_below(name_, axes_[i], coordinate(axes_[i]), times_.given() ? times_.count() : 0, below);
    return below;
  }
  std::vector<HalvedDensity> halved_densities(const PointFacts& facts) const override {
    std::vector<HalvedDensity> densities;
    if (times_.given() || times_.count() < 2 || counts_time(facts) || facts.exits.there) return densities;
    const size_t cells = axes_[0].count * (axes_.size() > 1 ? axes_[1].count : 1);
    for (const Axis& axis : axes_) add_halved(axis, coordinate(axis), cells, densities);
    return densities;
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    std::vector<Grouped> below;
    const Grouped p = counts_time(m.facts) ? of_times(m)
                                           : m.recording.density(axes_[0], axes_.size() > 1 ? &axes_[1] : nullptr,
                                                                 times_.given(), m.facts.exits.there, &below, m.halves);
    arrays = {p.value, p.error};
    give_probes(below, m);
  }

 private:
  /// Whether the time spent in every bin is known: that of x modulo the period over the window, with method exact.
  bool counts_time(const PointFacts& facts) const {
    return !times_.given() && axes_.size() == 1 && axes_[0].folded && !facts.edges.empty();
  }
  Occupation occupation(const PointFacts& facts) const {
    return {axes_[0].count, facts.edges, static_cast<size_t>(facts.paths), facts.steps};
  }
  Grouped of_times(const Measured& m) const {
    std::vector<double> times = occupation(m.facts).times(m.sums);
    for (double& time : times) time *= m.facts.dt;
    const size_t bins = axes_[0].count, groups = times.size() / bins;
    const double share = m.facts.window() * axes_[0].width(m.facts.period);
    const GroupSums sums(times, groups, bins);
    return jackknife(groups, [&](size_t without) {
      const auto paths =
          static_cast<double>(m.recording.paths() - (without < groups ? m.recording.size_of(without) : 0));
      std::vector<double> density;
      for (size_t i = 0; i < bins; ++i) density.push_back(sums.rest(0, i, without) / (paths * share));
      return density;
    });
  }
  static Coordinate coordinate(const Axis& axis) {
    if (axis.folded) return {"position", "x/L", "", axis.centres()};
    if (axis.variable == Variable::x) return {"x", "x", "length", axis.centres()};
    return {"velocity_bin", "v", "length/time", axis.centres()};
  }

  std::string name_;
  Times times_;
  std::vector<Axis> axes_;
};

Axis position_axis(Options& options, size_t bins, const char* range) {
  Axis axis{Variable::x, options.count("bins", bins, 2, 100000), 0, 0, true};
  if (const auto ends = options.range(range)) axis.from = ends->at(0), axis.to = ends->at(1), axis.folded = false;
  return axis;
}

Axis velocity_axis(Options& options, const char* bins, size_t otherwise) {
  Axis axis{Variable::v, options.count(bins, otherwise, 2, 100000)};
  const auto range = options.range("range");
  if (!range) fail("observe.{}: range must be given, the lowest and the highest v", options.subject());
  axis.from = range->at(0), axis.to = range->at(1);
  return axis;
}

/// Density of x(t) - x(t_0) at each time t but the first one, t_0.
class DisplacementDensity : public Observable {
 public:
  explicit DisplacementDensity(const ObservableRequest& request) : DisplacementDensity(Options(request)) {}
  std::string name() const override { return "displacement_density"; }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override { return {.law = true}; }
  std::vector<double> times(const PointFacts& facts) const override { return times_.at(facts, name()); }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    const Coordinate place = displacement();
    const Coordinate time = since_first(times_.coordinate(facts), times(facts), facts);
    const std::string label = "p(x - x(t_0))";
    return {{"displacement_density_time", "t - t_0", "time", {time}, {}},
            {name(), label, "1/length", {time, place}, {}},
            {name() + "_err", label, "1/length", {time, place}, {}}};
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    std::vector<double> since;
    for (const double time : m.recording.times()) since.push_back(time - m.recording.times().front());
    std::vector<Grouped> below;
    const Grouped p = m.recording.displacement_density(axis_, &below);
    const auto later = static_cast<ptrdiff_t>(axis_.count);  // without the first time
    arrays = {{since.begin() + 1, since.end()},
              {p.value.begin() + later, p.value.end()},
              {p.error.begin() + later, p.error.end()}};
    const auto first = static_cast<ptrdiff_t>(axis_.ends().size());
    for (auto* numbers : {&below[0].value, &below[0].error}) numbers->erase(numbers->begin(), numbers->begin() + first);
    give_probes(below, m);
  }
  Sampling sampling() const override { return Sampling::since_first; }
  std::vector<Array> probes(const PointFacts&) const override {
    std::vector<Array> below;
    add_probes_below(name(), axis_, displacement(), times_.count() - 1, below);
    return below;
  }

 private:
  explicit DisplacementDensity(Options options)
      : axis_{Variable::x, options.count("bins", 100, 2, 100000)}, times_(options, 11, {"linear", "logarithmic"}) {
    const auto range = options.range("range");
    options.end();
    if (!range) fail("observe.displacement_density: range must be given, the lowest and the highest displacement");
    axis_.from = range->at(0), axis_.to = range->at(1);
    if (times_.count() < 2)
      fail("observe.displacement_density: times must be at least 2, t_0 among them, got {}", times_.count());
    if (const size_t cells = axis_.count * times_.count(); cells > most_cells)
      fail("observe.displacement_density: at most {} bins in all, got {}", most_cells, cells);
  }
  Coordinate displacement() const {
    return {"displacement", "x - x(t_0)", "length", bin_centres(axis_.from, axis_.width(1), axis_.count)};
  }

  Axis axis_;
  Times times_;
};

std::unique_ptr<Observable> make_density(const ObservableRequest& request) {
  Options options(request);
  const Axis x = position_axis(options, 100, "range");
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
  const Axis x = position_axis(options, 50, "position_range"), v = velocity_axis(options, "velocity_bins", 50);
  const Times times(options, 200);
  options.end();
  return std::make_unique<Density>(request, times, std::vector<Axis>{x, v});
}

void check_range_of_formula(const ObservableRequest& request, const std::string& formula) {
  if (!request.numbers.contains("range"))
    fail("observe.density: range must be given for {}, which has no period", formula);
}

}  // namespace

const ObservableKind observable_density = {
    .name = "density",
    .summary = "p(x mod L), or p(x) over a range",
    .options = "bins count range times",
    .make = make_density,
    .of_formulas = true,
    .of_plain_velocities = true,
    .of_ending_paths = true,
    .of_two = make_plane_density,
    .check_formula = check_range_of_formula,
};

const ObservableKind observable_velocity_density = {
    .name = "velocity_density",
    .summary = "p(v) over a range",
    .options = "bins count range times",
    .make = make_velocity_density,
    .of = ObservableKind::velocity,
    .of_ending_paths = true,
};

const ObservableKind observable_joint_density = {
    .name = "joint_density",
    .summary = "p(x, v), of systems p of two variables",
    .options = "bins count position_range range times velocity_bins",
    .make = make_joint_density,
    .of = ObservableKind::velocity,
    .of_ending_paths = true,
};

const ObservableKind observable_displacement_density = {
    .name = "displacement_density",
    .summary = "p(x(t) - x(t_0)) at some times",
    .options = "bins count range spacing times",
    .make = made<DisplacementDensity>,
};

}  // namespace bmsim
