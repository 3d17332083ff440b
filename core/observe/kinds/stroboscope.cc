// Stroboscopic recording, once per period of the drive, as for bifurcation diagrams.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"
#include "observe/probes.h"

namespace bmsim {

namespace {

/// x (and v) of the first `paths` paths, once in each of the last `periods` periods of the drive.
class Stroboscope : public Observable {
 public:
  explicit Stroboscope(Options options)
      : paths_(options.count("paths", 64, 1, 100000)),
        periods_(options.count("periods", 100, 1, 100000)),
        phases_(options.ascending("phases", 0)) {
    options.end();
    if (!phases_.empty() && !(phases_.back() < 1))
      fail("observe.stroboscope: phases must be in [0, 1), got {}", phases_.back());
  }
  std::string name() const override { return "stroboscope"; }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override { return {.velocities = true}; }
  std::vector<double> times(const PointFacts& facts) const override {
    if (facts.drive_period <= 0) fail("observe.stroboscope: the model must have a drive");
    const double whole = std::floor(facts.total / facts.drive_period * (1 + 1e-12));
    if (whole < static_cast<double>(periods_))
      fail("observe.stroboscope: periods must be at most those of the run, {}, got {}", whole, periods_);
    const double last = phases_.empty() ? whole : whole - 1;  // the whole period, with all phases, is within the run
    std::vector<double> times;
    for (size_t i = 0; i < periods_; ++i)
      for (const double phase : phases_.empty() ? std::vector<double>{0} : phases_) {
        const double turns = last - static_cast<double>(periods_ - 1 - i) + phase;
        times.push_back(std::min(facts.total, facts.drive_period * turns));
      }
    return times;
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    Coordinate path{"path", "path", "", {}}, period{"drive_period", "periods of the drive", "", {}};
    for (size_t i = 0; i < paths_; ++i) path.values.push_back(static_cast<double>(i + 1));
    for (size_t i = 0; i < periods_; ++i) period.values.push_back(static_cast<double>(i + 1));
    std::vector<Coordinate> dimensions = {path, period};
    if (!phases_.empty()) dimensions.push_back({"phase", "phase of the drive", "", phases_});
    std::vector<Array> shapes = {{"stroboscope_x", "x", "length", dimensions, {}}};
    if (facts.mass > 0) shapes.push_back({"stroboscope_v", "v", "length/time", dimensions, {}});
    return shapes;
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    for (const Variable variable : {Variable::x, Variable::v}) {
      if (!m.recording.has(variable)) continue;
      arrays.push_back(m.recording.paths_of(variable, std::min(paths_, m.recording.paths())));
      arrays.back().resize(paths_ * m.recording.times().size(), nan);
    }
    give_probes_of_paths(m);
  }
  Sampling sampling() const override { return Sampling::each; }
  std::vector<Array> probes(const PointFacts& facts) const override {
    return probes_of_paths(name(), periods_ * std::max<size_t>(1, phases_.size()), facts.mass > 0);
  }
  double order(const std::string& array) const override { return order_of_probe(array); }

  double fewest_paths() const override { return 0; }

 private:
  size_t paths_, periods_;
  std::vector<double> phases_;  ///< none: phase 0, without an array dimension for it
};

}  // namespace

const ObservableKind observable_stroboscope = {
    .name = "stroboscope",
    .summary = "x and v of some paths, once in every period of the drive",
    .options = "paths periods phases",
    .make = made<Stroboscope>,
    .of_formulas = true,
    .at_phases = true,
};

}  // namespace bmsim
