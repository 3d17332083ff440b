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

constexpr size_t most_plane_cells = 10000000;  // as many as other densities may have

/// What is along one axis: a variable, its velocity, or a formula.
struct Of {
  std::string name;
  size_t variable = 0;
  bool velocity = false, formula = false;
};

class PlaneDensity : public Observable {
 public:
  PlaneDensity(std::array<Of, 2> subjects, std::array<Axis, 2> axes, const Times& times)
      : subjects_(std::move(subjects)), axes_(axes), times_(times) {}

  std::string name() const override { return fmt::format("density_{}_{}", subjects_[0].name, subjects_[1].name); }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override {
    return {.early_law = times_.given(), .narrow_parts = true, .first_time = times_.first()};
  }
  std::vector<double> times(const PointFacts& facts) const override {
    for (size_t i = 0; i < 2; ++i)
      if (axes_[i].folded && facts.variables[subjects_[i].variable].period <= 0)
        fail("observe.density: {} has no period: give its range, range = {{ {} = {{ from, to }} }}", subjects_[i].name,
             subjects_[i].name);
    check_survivors(name(), times_, facts);
    return times_.at(facts, name());
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    std::vector<Coordinate> coordinates;
    if (times_.given()) coordinates.push_back(times_.coordinate(facts));
    for (const size_t i : {size_t{1}, size_t{0}}) coordinates.push_back(coordinate(i));
    size_t lengths = 0, times = 0;
    for (const Of& subject : subjects_)
      if (!subject.formula) ++lengths, times += subject.velocity ? 1 : 0;
    const std::string unit = density_unit(lengths, times);
    const std::string label = fmt::format("p({}, {})", subjects_[0].name, subjects_[1].name);
    return with_errors({name(), label, unit, coordinates, {}});
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    std::vector<Grouped> below;
    const Grouped p = m.recording.density(axes_[0], &axes_[1], times_.given(), m.facts.exits.there, &below, m.halves);
    arrays = {p.value, p.error};
    give_probes(below, m);
  }
  std::vector<HalvedDensity> halved_densities(const PointFacts& facts) const override {
    std::vector<HalvedDensity> densities;
    if (times_.given() || times_.count() < 2 || facts.exits.there) return densities;
    for (size_t i = 0; i < 2; ++i) add_halved(axes_[i], coordinate(i), axes_[0].count * axes_[1].count, densities);
    return densities;
  }
  Sampling sampling() const override { return times_.given() ? Sampling::each : Sampling::together; }
  std::vector<Array> probes(const PointFacts&) const override {
    std::vector<Array> arrays;
    for (size_t i = 0; i < 2; ++i)
      add_probes_below(name(), axes_[i], coordinate(i), times_.given() ? times_.count() : 0, arrays);
    return arrays;
  }

 private:
  Coordinate coordinate(size_t i) const {
    const Axis& axis = axes_[i];
    const char* unit = subjects_[i].formula ? "" : subjects_[i].velocity ? "length/time" : "length";
    const std::string& name = subjects_[i].name;
    if (axis.folded) return {"position_" + name, name + "/L", "", axis.centres()};
    return {name, name, unit, axis.centres()};
  }

  std::array<Of, 2> subjects_;
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
  const std::vector<ObservedName> names = observed_names(request);
  ObservableRequest own_request = request;
  own_request.words.erase("of");
  own_request.words.erase("name");
  Options options(own_request);
  std::array<Of, 2> subjects = {find(names[0].name, variables), find(names[1].name, variables)};
  if (subjects[0].name == subjects[1].name) fail("observe.density: of: '{}' is there twice", subjects[0].name);
  std::array<Axis, 2> axes;
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
  const size_t cells = axes[0].count * axes[1].count * (times.given() ? times.count() : 1);
  if (cells > most_plane_cells) fail("observe.density: at most {} bins in all, got {}", most_plane_cells, cells);
  return std::make_unique<PlaneDensity>(std::move(subjects), axes, times);
}

}  // namespace bmsim
