// Probability density in the plane of two variables of a system, their velocities, or formulas: counts in bins over the
// number of paths and the size of a bin, at `count` times of the window together, or at each of `times`.
#include <algorithm>

#include "error.h"
#include "nearest_name.h"
#include "observe/of_formula.h"
#include "observe/of_variable.h"
#include "observe/options.h"
#include "observe/probes.h"

namespace bmsim {

namespace {

constexpr size_t most_plane_cells = 10000000;  // as for other densities

/// What one axis is of.
struct Of {
  std::string name;
  size_t variable = 0;
  bool velocity = false, formula = false;
};

class PlaneDensity : public Observable {
 public:
  PlaneDensity(std::array<Of, 2> of, std::array<Axis, 2> axes, const Times& times)
      : of_(std::move(of)), axes_(axes), times_(times) {}

  std::string name() const override { return fmt::format("density_{}_{}", of_[0].name, of_[1].name); }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override {
    return {.early_law = times_.given(), .narrow_parts = true, .first_time = times_.first()};
  }
  std::vector<double> times(const PointFacts& facts) const override {
    for (size_t i = 0; i < 2; ++i)
      if (axes_[i].folded && facts.variables[of_[i].variable].period <= 0)
        fail("observe.density: {} has no period: give its range, range = {{ {} = {{ from, to }} }}", of_[i].name,
             of_[i].name);
    check_survivors(name(), times_, facts);
    return times_.at(facts, name());
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    std::vector<Coordinate> coordinates;
    if (times_.given()) coordinates.push_back(times_.coordinate(facts));
    for (const size_t i : {size_t{1}, size_t{0}}) coordinates.push_back(coordinate(i));
    size_t lengths = 0, times = 0;
    for (const Of& one : of_)
      if (!one.formula) ++lengths, times += one.velocity ? 1 : 0;
    const std::string unit = density_unit(lengths, times);
    const std::string label = fmt::format("p({}, {})", of_[0].name, of_[1].name);
    return {{name(), label, unit, coordinates, {}}, {name() + "_err", label, unit, coordinates, {}}};
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    std::vector<Grouped> below;
    const Grouped p = m.recording.density(axes_[0], &axes_[1], times_.given(), m.facts.exits.there, &below, m.halves);
    arrays = {p.value, p.error};
    give_probes(below, m);
  }
  std::vector<HalvedDensity> halved_densities(const PointFacts& facts) const override {
    std::vector<HalvedDensity> all;
    if (times_.given() || times_.count() < 2 || facts.exits.there) return all;
    for (size_t i = 0; i < 2; ++i) add_halved(axes_[i], coordinate(i), axes_[0].count * axes_[1].count, all);
    return all;
  }
  Sampling sampling() const override { return times_.given() ? Sampling::each : Sampling::together; }
  std::vector<Array> probes(const PointFacts&) const override {
    std::vector<Array> all;
    for (size_t i = 0; i < 2; ++i)
      add_probes_below(name(), axes_[i], coordinate(i), times_.given() ? times_.count() : 0, all);
    return all;
  }

 private:
  Coordinate coordinate(size_t i) const {
    const Axis& axis = axes_[i];
    const double from = axis.folded ? -0.5 : axis.from, width = axis.folded ? 1 : axis.to - axis.from;
    const char* unit = of_[i].formula ? "" : of_[i].velocity ? "length/time" : "length";
    Coordinate result = axis.folded ? Coordinate{"position_" + of_[i].name, of_[i].name + "/L", "", {}}
                                    : Coordinate{of_[i].name, of_[i].name, unit, {}};
    for (size_t k = 0; k < axis.count; ++k)
      result.values.push_back(from + (static_cast<double>(k) + 0.5) * width / static_cast<double>(axis.count));
    return result;
  }

  std::array<Of, 2> of_;
  std::array<Axis, 2> axes_;
  Times times_;
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

}  // namespace

std::unique_ptr<Observable> make_plane_density(const ObservableRequest& request,
                                               std::span<const ObservedVariable> variables) {
  const std::vector<ObservedName> of = observed_names(request);
  ObservableRequest rest = request;
  rest.words.erase("of");
  rest.words.erase("name");
  Options options(rest);
  std::array<Of, 2> found = {find(of[0].name, variables), find(of[1].name, variables)};
  if (found[0].name == found[1].name) fail("observe.density: of: '{}' is there twice", found[0].name);
  std::array<Axis, 2> axes;
  const size_t bins = options.count("bins", 50, 2, 10000);
  for (size_t i = 0; i < 2; ++i) {
    const std::vector<double> range = options.ascending("range." + found[i].name, -1e300);
    if (!range.empty() && range.size() != 2)
      fail("observe.density: range.{} must be two numbers, from and to, and has {}", found[i].name, range.size());
    if (range.empty() && (found[i].velocity || found[i].formula))
      fail("observe.density: range must be given for {}: range = {{ {} = {{ from, to }} }}", found[i].name,
           found[i].name);
    axes[i] = {{sample_index(found[i].variable, found[i].velocity, variables)},
               options.count("bins." + found[i].name, bins, 2, 10000),
               0,
               0,
               true};
    if (!range.empty()) axes[i].from = range[0], axes[i].to = range[1], axes[i].folded = false;
  }
  const Times times(options, 200);
  options.end();
  const size_t cells = axes[0].count * axes[1].count * (times.given() ? times.count() : 1);
  if (cells > most_plane_cells) fail("observe.density: at most {} bins in all, got {}", most_plane_cells, cells);
  return std::make_unique<PlaneDensity>(std::move(found), axes, times);
}

}  // namespace bmsim
