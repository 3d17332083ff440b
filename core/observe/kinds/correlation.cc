// C(lag) = <d(t) d(t + lag)> with d = v - <v> or x - <x>, averaged over paths and `origins` times t of the window.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"
#include "observe/probes.h"

namespace bmsim {

namespace {

class Correlation : public Observable {
 public:
  explicit Correlation(Options options)
      : variable_(options.word("of", {"velocity", "position"}) == "velocity" ? Variable::v : Variable::x),
        lags_(options.count("lags", 50, 2, 100000)),
        origins_(options.count("origins", 50, 1, 100000)),
        step_(options),
        centred_(options.flag("centred", true)),
        normalised_(options.flag("normalised", false)) {
    options.end();
  }
  std::string name() const override { return "correlation"; }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override { return {.velocities = variable_ == Variable::v, .coherence = true}; }
  std::vector<double> times(const PointFacts& facts) const override {
    if (variable_ == Variable::v && facts.mass == 0)
      fail("observe.correlation: of = \"velocity\" is for underdamped models; the model is overdamped");
    const double step = step_.at(facts), last = step * static_cast<double>(lags_ + origins_ - 2);
    if (last > facts.window() * (1 + 1e-12))
      fail("observe.correlation: (lags + origins - 2) step must be within the window, which lasts {}, got {}",
           facts.window(), last);
    return evenly_spaced(facts, step, lags_ + origins_ - 1);
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    Coordinate lag{"lag", "lag", "time", {}};
    if (!facts.same_times) lag = {"asked_lag", "lag, to the next step", "time", {}};
    for (size_t i = 0; i < lags_; ++i)
      lag.values.push_back((facts.same_times ? step_.at(facts) : step_.asked()) * static_cast<double>(i));
    const std::string unit = normalised_ ? "" : variable_ == Variable::v ? "(length/time)^2" : "length^2";
    const std::string label = normalised_ ? "C(lag)/C(0)" : "C(lag)";
    return with_errors({"correlation", label, unit, {lag}, {}});
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    const Grouped C = m.recording.correlation(variable_, lags_, centred_, normalised_);
    arrays = {C.value, C.error};
  }

  Sampling sampling() const override { return Sampling::evenly; }
  double order(const std::string&) const override { return 2; }

 private:
  Variable variable_;
  size_t lags_, origins_;
  Spacing step_;
  bool centred_, normalised_;
};

}  // namespace

const ObservableKind observable_correlation = {
    .name = "correlation",
    .summary = "<dz(t) dz(t + lag)> of the velocity or the position",
    .options = "centred lags normalised of origins step",
    .make = made<Correlation>,
    .of = ObservableKind::either,
    .of_formulas = true,
};

}  // namespace bmsim
