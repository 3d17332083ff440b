// The first `paths` paths, unfolded, at given times.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"
#include "observe/probes.h"

namespace bmsim {

namespace {

class Paths : public Observable {
 public:
  explicit Paths(Options options) : paths_(options.count("paths", 10, 1, 1000000)), times_(options, 500) {
    options.end();
  }
  std::string name() const override { return "paths"; }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override { return {.velocities = true}; }
  std::vector<double> times(const PointFacts& facts) const override { return times_.at(facts, name()); }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    Coordinate path{"path", "path", "", {}};
    for (size_t i = 0; i < paths_; ++i) path.values.push_back(static_cast<double>(i + 1));
    const Coordinate time = times_.coordinate(facts);
    std::vector<Array> shapes = {{"paths_time", "t", "time", {time}, {}}, {"paths_x", "x", "length", {path, time}, {}}};
    if (facts.mass > 0) shapes.push_back({"paths_v", "v", "length/time", {path, time}, {}});
    return shapes;
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    if (m.recording.paths() < paths_)
      fail("observe.paths: paths must be at most those of the run, {}, got {}", m.recording.paths(), paths_);
    arrays = {m.recording.times()};
    for (const Variable variable : {Variable::x, Variable::v})
      if (m.recording.has(variable)) arrays.push_back(m.recording.paths_of(variable, paths_));
    give_probes_of_paths(m);
  }
  Sampling sampling() const override { return Sampling::each; }
  std::vector<Array> probes(const PointFacts& facts) const override {
    return probes_of_paths(name(), times_.count(), facts.mass > 0);
  }
  double order(const std::string& array) const override { return order_of_probe(array); }

  double fewest_paths() const override { return 0; }

 private:
  size_t paths_;
  Times times_;
};

}  // namespace

const ObservableKind observable_paths = {
    .name = "paths",
    .summary = "x(t) and v(t) of some paths",
    .options = "count paths times",
    .make = made<Paths>,
    .of_formulas = true,
    .of_ending_paths = true,
};

}  // namespace bmsim
