// Cumulants over the paths as functions of time.
#include <fmt/format.h>

#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

class Moments : public Observable {
 public:
  explicit Moments(Options options) : times_(options, 50, {"linear", "logarithmic"}) { options.end(); }
  std::string name() const override { return "moments"; }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override {
    return {.velocities = true, .coherence = true, .early_law = times_.given(), .first_time = times_.first()};
  }
  std::vector<double> times(const PointFacts& facts) const override { return times_.at(facts, name()); }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    const Coordinate time = times_.coordinate(facts);
    std::vector<Array> shapes = {{"moments_time", "t", "time", {time}, {}}};
    for (const char* variable : {"x", "v"}) {
      if (*variable == 'v' && facts.mass == 0) continue;
      const std::string length = *variable == 'x' ? "length" : "length/time";
      for (int order = 1; order <= 4; ++order)
        for (const char* suffix : {"", "_err"})
          shapes.push_back({fmt::format("{}_cumulant_{}{}", variable, order, suffix),
                            fmt::format("k_{}({})", order, variable),
                            order == 1         ? length
                            : *variable == 'x' ? fmt::format("length^{}", order)
                                               : fmt::format("(length/time)^{}", order),
                            {time},
                            {}});
    }
    return shapes;
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    const size_t times = m.recording.times().size();
    arrays = {m.recording.times()};
    for (const Variable variable : {Variable::x, Variable::v}) {
      if (!m.recording.has(variable)) continue;
      const Grouped cumulants = m.recording.cumulants(variable);
      for (size_t order = 0; order < 4; ++order)
        for (const auto* numbers : {&cumulants.value, &cumulants.error}) {
          std::vector<double>& array = arrays.emplace_back();
          for (size_t i = 0; i < times; ++i) array.push_back((*numbers)[4 * i + order]);
        }
    }
  }
  Sampling sampling() const override { return Sampling::each; }
  double order(const std::string& array) const override {  // "x_cumulant_3", "x_cumulant_3_err"
    const size_t at = array.find("cumulant_");
    return at == array.npos ? 0 : array[at + 9] - '0';
  }
  std::string own_warning(const Findings& found) const override {
    double third = 0, fourth = 0;  // paths wanted
    for (size_t i = 0; i + 8 < found.arrays.size(); i += 8) {
      const auto values = [&](size_t k) -> const std::vector<double>& { return found.arrays[i + k].values; };
      for (size_t k = 0; k < values(1).size(); ++k) {
        const double shape = values(7)[k] / (values(3)[k] * values(3)[k]);
        if (!std::isfinite(shape)) continue;
        const PointFacts& facts = found.facts[k * found.facts.size() / values(1).size()];
        if (std::isnan(values(6)[k]))
          third = std::max({third, Recording::paths_for_third(shape), facts.fewest_for_order(3)});
        if (std::isnan(values(8)[k]))
          fourth = std::max({fourth, Recording::paths_for_fourth(shape), facts.fewest_for_order(4)});
      }
    }
    if (third == 0 && fourth == 0) return "";
    return fmt::format(
        "moments: the standard errors of high cumulants are nan where the paths are too few for the tails that "
        "they have shown; about {:.0f} would do{}",
        std::max(third, fourth), third > 0 && third < fourth ? fmt::format(", {:.0f} for the third", third) : "");
  }

 private:
  Times times_;
};

}  // namespace

const ObservableKind observable_moments = {
    .name = "moments",
    .summary = "cumulants 1 to 4 of x, and of v, at some times",
    .options = "count spacing times",
    .make = made<Moments>,
    .of_formulas = true,
};

}  // namespace bmsim
