// Once a period of the drive: what bifurcation diagrams are made of.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"

#include <cmath>
#include <limits>

namespace bmsim {

namespace {

/// x (and v) of the first `paths` trajectories once a drive period, over the last `periods` of them.
class Stroboscope : public Observable {
 public:
  explicit Stroboscope(const ObservableRequest& request) : Stroboscope(Options(request)) {}
  std::string name() const override { return "stroboscope"; }
  std::vector<std::string> columns() const override { return {}; }
  std::vector<double> times(const PointFacts& facts) const override {
    if (facts.drive_period <= 0) fail("observe.stroboscope: the model must have a drive");
    const double whole = std::floor(facts.total / facts.drive_period * (1 + 1e-12));
    if (whole < static_cast<double>(periods_))
      fail("observe.stroboscope: periods must be at most those of the run, {}, got {}", whole, periods_);
    std::vector<double> times;
    for (size_t i = 0; i < periods_; ++i)
      times.push_back(std::min(facts.total, facts.drive_period * (whole - static_cast<double>(periods_ - 1 - i))));
    return times;
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    Coordinate path{"path", "path", "", {}}, period{"drive_period", "periods of the drive", "", {}};
    for (size_t i = 0; i < paths_; ++i) path.values.push_back(static_cast<double>(i + 1));
    for (size_t i = 0; i < periods_; ++i) period.values.push_back(static_cast<double>(i + 1));
    std::vector<Array> all = {{"stroboscope_x", "x", "length", {path, period}, {}}};
    if (facts.mass > 0) all.push_back({"stroboscope_v", "v", "length/time", {path, period}, {}});
    return all;
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    for (const Variable variable : {Variable::x, Variable::v}) {
      if (!m.recording.has(variable)) continue;
      arrays.push_back(m.recording.paths_of(variable, std::min(paths_, m.recording.paths())));
      arrays.back().resize(paths_ * periods_, std::numeric_limits<double>::quiet_NaN());
    }
  }

 private:
  explicit Stroboscope(Options options)
      : paths_(options.count("paths", 64, 1, 100000)), periods_(options.count("periods", 100, 1, 100000)) {
    options.end();
  }
  size_t paths_, periods_;
};

}  // namespace

std::unique_ptr<Observable> make_stroboscope(const ObservableRequest& request) { return std::make_unique<Stroboscope>(request); }

}  // namespace bmsim
