// Cumulants over the paths as functions of time.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

/// Cumulants of x (and v) over the paths, to the fourth, as functions of time: options times, or count and spacing.
class Moments : public Observable {
 public:
  explicit Moments(const ObservableRequest& request) : Moments(Options(request)) {}
  std::string name() const override { return "moments"; }
  std::vector<std::string> columns() const override { return {}; }
  std::vector<double> times(const PointFacts& facts) const override { return times_.at(facts, name()); }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    const Coordinate time = times_.coordinate();
    std::vector<Array> all = {{"moments_time", "t", "time", {time}, {}}};
    for (const char* variable : {"x", "v"}) {
      if (*variable == 'v' && facts.mass == 0) continue;
      for (int order = 1; order <= 4; ++order)
        for (const char* suffix : {"", "_err"})
          all.push_back({fmt::format("{}_cumulant_{}{}", variable, order, suffix),
                         fmt::format("k_{}({})", order, variable),
                         fmt::format("{}^{}", *variable == 'x' ? "length" : "(length/time)", order),
                         {time},
                         {}});
    }
    return all;
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    const size_t times = m.recording.times().size();
    arrays = {m.recording.times()};
    for (const Variable variable : {Variable::x, Variable::v}) {
      if (!m.recording.has(variable)) continue;
      const Grouped all = m.recording.cumulants(variable);
      for (size_t order = 0; order < 4; ++order)
        for (const auto* numbers : {&all.value, &all.error}) {
          std::vector<double>& one = arrays.emplace_back();
          for (size_t i = 0; i < times; ++i) one.push_back((*numbers)[4 * i + order]);
        }
    }
  }

 private:
  explicit Moments(Options options) : times_(options, 50, {"linear", "logarithmic"}) { options.end(); }
  Times times_;
};

}  // namespace

std::unique_ptr<Observable> make_moments(const ObservableRequest& request) { return std::make_unique<Moments>(request); }

}  // namespace bmsim
