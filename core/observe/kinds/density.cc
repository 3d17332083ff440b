// Probability densities of x (modulo the period, or unfolded in a range), of v, and of both: counts in bins over the
// number of paths and the size of a bin, at `count` times of the window together, or at each of `times`. With method
// exact the density of x modulo the period over the window is found from the time spent in each bin. Also densities of
// two variables of a system, and of displacements since the first time.
#include "backend/samples.h"
#include "error.h"
#include "nearest_name.h"
#include "observe/known.h"
#include "observe/of_formula.h"
#include "observe/options.h"
#include "observe/probes.h"

namespace bmsim {

namespace {

// ---- the sums of kernels/counters/occupation.h: their layout, and the times that they stand for ----

/// Time spent in bins [(i / bins - 1/2), ((i + 1) / bins - 1/2)) of x / L modulo 1. The potential has pieces, from
/// edge[j] to edge[j + 1]; a cell is the intersection of a bin and a piece. Each piece has a spare cell at either end,
/// for positions that rounding moves across its edge.
class Occupation {
 public:
  /// window: in steps. paths: of a point; they form the groups of Samples.
  Occupation(size_t bins, std::vector<double> edge, size_t paths, double window)
      : bins_(bins), groups_(path_groups_of(paths)), edge_(std::move(edge)) {
    double narrowest = 1;  // piece, in bins: a pass counts as the time for a whole bin
    for (size_t j = 0; j < pieces(); ++j) narrowest = std::min(narrowest, place(edge_[j + 1]) - place(edge_[j]));
    const double most = window * static_cast<double>(paths / groups_ + 1) / narrowest;
    units_ = std::exp2(std::min(24.0, 61 - std::ceil(std::log2(most))));
  }

  /// The counter of the kernel, from whose sums times() finds those of every path group.
  Counter counter() const {
    const auto word = [](const char* name, size_t value) {
      return ParameterField{FieldType::word, name, {static_cast<double>(value)}};
    };
    const auto bins = static_cast<double>(bins_);
    return {.name = "occupation",
            .type = "Occupation",
            .parameters = {{FieldType::number, "units_per_step", {units_}},
                           {FieldType::number, "units_per_bin", {units_ / bins}},
                           word("cells", cells()),
                           word("path_groups", groups_),
                           {FieldType::real, "bins", {bins}},
                           {FieldType::real, "cell_shift", cell_shift(), true}},
            .sums = groups_ * stride()};
  }
  /// Time, in steps, that the paths of each group spent in each bin: shape (groups, bins).
  std::vector<double> times(std::span<const int64_t> sums) const {
    std::vector<double> times(groups_ * bins_);
    const std::vector<double> shift = cell_shift();
    for (size_t g = 0; g < groups_; ++g)
      for (size_t j = 0; j < pieces(); ++j) {
        const int64_t* const group_sums = &sums[g * stride()];
        const double left = place(edge_[j]), right = place(edge_[j + 1]);
        int64_t passes = group_sums[2 * cells() + j];  // number of passes of a bin times the duration of one
        for (double bin = std::floor(right) + 1; bin >= std::floor(left) - 1; --bin) {
          const int64_t* const cell = &group_sums[2 * static_cast<size_t>(bin + shift[j])];
          const double begin = std::max(left, bin), end = std::min(right, bin + 1);
          const double time = static_cast<double>(cell[0]) - static_cast<double>(cell[1]) * (begin - bin) +
                              static_cast<double>(passes) * std::max(end - begin, 0.0);
          const double count = static_cast<double>(bins_);
          times[g * bins_ + static_cast<size_t>(bin - count * std::floor(bin / count))] += time / units_;
          passes += cell[1];
        }
      }
    return times;
  }

 private:
  size_t pieces() const { return edge_.size() - 1; }
  size_t cells() const { return bins_ + 4 * pieces(); }
  // by piece: index of a cell minus that of its bin
  std::vector<double> cell_shift() const {
    std::vector<double> shift;
    double cells = 1;  // cells of the pieces before, and a spare one
    for (size_t j = 0; j < pieces(); ++j) {
      const double first = std::floor(place(edge_[j])), last = std::floor(place(edge_[j + 1]));
      shift.push_back(cells - first);
      cells += last - first + 3;
    }
    return shift;
  }
  size_t stride() const { return 2 * cells() + pieces(); }
  double place(double edge) const { return (edge + 0.5) * static_cast<double>(bins_); }  // in bins

  size_t bins_, groups_;
  std::vector<double> edge_;
  double units_;  // units of time per step: a power of 2, such that no sum exceeds 64 bits
};

/// Throws Error for too many bins. blocks: how often a point has those of all axes.
void check_cells(std::string_view name, const std::vector<Axis>& axes, size_t blocks) {
  constexpr size_t most = 10000000;  // of a point: each of 32 path groups has 64 bits for each
  size_t cells = blocks;
  for (const Axis& axis : axes) cells *= axis.count;
  if (cells > most) fail("observe.{}: at most {} bins in all, got {}", name, most, cells);
}

class Density : public Observable {
 public:
  Density(std::string name, const Times& times, std::vector<Axis> axes)
      : name_(std::move(name)), times_(times), axes_(std::move(axes)) {}
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
    for (size_t i = axes_.size(); i-- > 0;) coordinates.push_back(coordinate(i));
    return with_errors({name_, "p(" + variables() + ")", unit(), coordinates, {}});
  }
  std::optional<PositionDensity> position_density() const override {
    if (axes_.size() > 1 || axes_[0].variable != Variable::x) return {};
    return {{0, axes_[0].folded}};
  }
  Sampling sampling() const override { return times_.given() ? Sampling::each : Sampling::together; }
  std::vector<Array> probes(const PointFacts& facts) const override {
    std::vector<Array> below;
    for (size_t i = 0; i < axes_.size() && !counts_time(facts); ++i)
      add_probes_below(name_, axes_[i], coordinate(i), times_.given() ? times_.count() : 0, below);
    return below;
  }
  std::vector<HalvedDensity> halved_densities(const PointFacts& facts) const override {
    std::vector<HalvedDensity> densities;
    if (times_.given() || times_.count() < 2 || counts_time(facts) || facts.exits.there) return densities;
    const size_t cells = axes_[0].count * (axes_.size() > 1 ? axes_[1].count : 1);
    for (size_t i = 0; i < axes_.size(); ++i) add_halved(axes_[i], coordinate(i), cells, densities);
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
    return {axes_[0].count, facts.edges.all(), static_cast<size_t>(facts.paths), facts.steps};
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
  virtual Coordinate coordinate(size_t i) const {
    const Axis& axis = axes_[i];
    if (axis.folded) return {"position", "x/L", "", axis.centres()};
    if (axis.variable == Variable::x) return {"x", "x", "length", axis.centres()};
    return {"velocity_bin", "v", "length/time", axis.centres()};
  }
  /// What it is of, in its label.
  virtual std::string variables() const {
    return axes_.size() > 1 ? "x, v" : axes_[0].variable == Variable::x ? "x" : "v";
  }
  virtual std::string unit() const { return density_unit(axes_.size(), axes_.back().variable == Variable::x ? 0 : 1); }

  std::string name_;

 protected:
  Times times_;
  std::vector<Axis> axes_;
};

/// What is along one axis: a variable, its velocity, or a formula.
struct Of {
  std::string name;
  size_t variable = 0;
  bool velocity = false, formula = false;
};

/// Density in the plane of two variables of a system, their velocities, or formulas.
class PlaneDensity : public Density {
 public:
  PlaneDensity(std::array<Of, 2> subjects, std::vector<Axis> axes, const Times& times)
      : Density(fmt::format("density_{}_{}", subjects[0].name, subjects[1].name), times, std::move(axes)),
        subjects_(std::move(subjects)) {}
  Needs needs() const override {
    Needs needs = Density::needs();
    needs.ticks = false;
    return needs;
  }
  std::string asks_for_times() const override { return ""; }
  std::vector<double> times(const PointFacts& facts) const override {
    for (size_t i = 0; i < 2; ++i)
      if (axes_[i].folded && facts.variable(subjects_[i].variable).period <= 0)
        fail("observe.density: {} has no period: give its range, range = {{ {} = {{ from, to }} }}", subjects_[i].name,
             subjects_[i].name);
    check_survivors(name(), times_, facts);
    return times_.at(facts, name());
  }

 private:
  Coordinate coordinate(size_t i) const override {
    const Axis& axis = axes_[i];
    const char* unit = subjects_[i].formula ? "" : subjects_[i].velocity ? "length/time" : "length";
    const std::string& name = subjects_[i].name;
    if (axis.folded) return {"position_" + name, name + "/L", "", axis.centres()};
    return {name, name, unit, axis.centres()};
  }
  std::string variables() const override { return fmt::format("{}, {}", subjects_[0].name, subjects_[1].name); }
  std::string unit() const override {
    size_t lengths = 0, times = 0;
    for (const Of& subject : subjects_)
      if (!subject.formula) ++lengths, times += subject.velocity ? 1 : 0;
    return density_unit(lengths, times);
  }

  std::array<Of, 2> subjects_;
};

Of find(const std::string& name, std::span<const ObservedVariable> variables) {
  std::vector<std::string> known;
  for (size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].name == name) return {name, i, false, variables[i].is_formula()};
    known.push_back(variables[i].name);
    if (!variables[i].inertial) continue;
    known.push_back("v_" + variables[i].name);
    if (known.back() == name) return {name, i, true};
  }
  fail("observe.density: of: unknown variable '{}'{}", name, suggestion(name, known));
}

std::unique_ptr<Observable> make_plane_density(const ObservableRequest& request,
                                               std::span<const ObservedVariable> variables) {
  const std::vector<ObservedName> names = observed_names(request);
  ObservableRequest own_request = request;
  own_request.words.erase("of");
  own_request.words.erase("name");
  Options options(own_request);
  std::array<Of, 2> subjects = {find(names[0].name, variables), find(names[1].name, variables)};
  if (subjects[0].name == subjects[1].name) fail("observe.density: of: '{}' is there twice", subjects[0].name);
  std::vector<Axis> axes(2);
  const size_t bins = options.count("bins", 50, 2, 10000);
  for (size_t i = 0; i < 2; ++i) {
    const auto range = options.range("range." + subjects[i].name);
    if (!range && (subjects[i].velocity || subjects[i].formula))
      fail("observe.density: range must be given for {}: range = {{ {} = {{ from, to }} }}", subjects[i].name,
           subjects[i].name);
    axes[i] = {{sample_index(subjects[i].variable, subjects[i].velocity, variables)},
               options.count("bins." + subjects[i].name, bins, 2, 10000),
               0,
               0,
               true};
    if (range) axes[i].from = range->at(0), axes[i].to = range->at(1), axes[i].folded = false;
  }
  const Times times(options, 200);
  options.end();
  check_cells("density", axes, times.given() ? times.count() : 1);
  return std::make_unique<PlaneDensity>(std::move(subjects), std::move(axes), times);
}

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
  explicit DisplacementDensity(Options options)
      : axis_{Variable::x, options.count("bins", 100, 2, 100000)}, times_(options, 11, {"linear", "logarithmic"}) {
    const auto range = options.range("range");
    options.end();
    if (!range) fail("observe.displacement_density: range must be given, the lowest and the highest displacement");
    axis_.from = range->at(0), axis_.to = range->at(1);
    if (times_.count() < 2)
      fail("observe.displacement_density: times must be at least 2, t_0 among them, got {}", times_.count());
    check_cells("displacement_density", {axis_}, times_.count());
  }
  std::string name() const override { return "displacement_density"; }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override { return {.law = true}; }
  std::vector<double> times(const PointFacts& facts) const override { return times_.at(facts, name()); }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    const Coordinate place = displacement();
    const Coordinate time = since_first(times_.coordinate(facts), times(facts), facts);
    return with_errors({name(), "p(x - x(t_0))", "1/length", {time, place}, {}},
                       {{"displacement_density_time", "t - t_0", "time", {time}, {}}});
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
  Coordinate displacement() const {
    return {"displacement", "x - x(t_0)", "length", bin_centres(axis_.from, axis_.width(1), axis_.count)};
  }

  Axis axis_;
  Times times_;
};

std::unique_ptr<Observable> make_density(const ObservableRequest& request) {
  Options options(request);
  const bool joint = request.name == "joint_density";
  std::vector<Axis> axes;
  if (request.name != "velocity_density")
    axes.push_back(position_axis(options, joint ? 50 : 100, joint ? "position_range" : "range"));
  if (request.name != "density")
    axes.push_back(velocity_axis(options, joint ? "velocity_bins" : "bins", joint ? 50 : 100));
  const Times times(options, 200);
  options.end();
  check_cells(request.name, axes, times.given() ? times.count() : 1);
  return std::make_unique<Density>(request.name, times, std::move(axes));
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
    .make = make_density,
    .of = ObservableKind::velocity,
    .of_ending_paths = true,
};

const ObservableKind observable_joint_density = {
    .name = "joint_density",
    .summary = "p(x, v), of systems p of two variables",
    .options = "bins count position_range range times velocity_bins",
    .make = make_density,
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
