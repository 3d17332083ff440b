// A third of the excess kurtosis, k4 / (3 k2^2), of the displacement in the window, or of v at its end.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

class NonGaussianity : public Observable {
 public:
  explicit NonGaussianity(const ObservableRequest& request)
      : name_(request.name), variable_(request.name == "non_gaussianity" ? Variable::x : Variable::v) {
    Options(request).end();
  }
  std::string name() const override { return name_; }
  ColumnLabel label(const std::string&) const override {
    if (variable_ == Variable::x) return {"k_4/(3 k_2^2)", "", "non-Gaussian parameter of the displacement"};
    return {"k_4(v)/(3 k_2(v)^2)", "", "non-Gaussian parameter of the velocity"};
  }
  Needs needs() const override { return {.velocities = variable_ == Variable::v}; }
  std::vector<double> times(const PointFacts& facts) const override {
    if (variable_ == Variable::x) return {facts.transient, facts.total};
    if (facts.mass == 0) fail("observe.{}: is for underdamped models; the model is overdamped", name_);
    return {facts.total};
  }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    columns = estimates(m.recording.non_gaussianity(variable_));
  }
  std::vector<size_t> pooled_columns() const override { return {0}; }
  std::vector<double> pooled_numbers(const Measured& m) const override {
    const auto [second, fourth] = m.recording.second_and_fourth(variable_);
    return {second, fourth};
  }
  std::vector<ColumnEstimate> of_pooled(const Pooled& pooled, const PointFacts&) const override {
    Estimate ratio = pooled.function([](const std::vector<double>& k) { return k[1] / (3 * k[0] * k[0]); });
    if (pooled.paths < Recording::paths_for_fourth(3 * ratio.value)) ratio.error = nan;
    return {{0, ratio}};
  }
  double order(const std::string&) const override { return 4; }
  double fewest_paths() const override { return Recording::paths_for_fourth(0); }
  std::string warning(const Findings& found) const override {
    double wanted = 0;
    for (size_t i = 0; i < found.facts.size(); ++i)
      if (const Estimate& ratio = found.columns[0][i]; std::isfinite(ratio.value) && std::isnan(ratio.error))
        wanted = std::max(
            {wanted, Recording::paths_for_fourth(3 * ratio.value), found.facts[i].fewest_for_order(order(name_))});
    if (wanted == 0) return Observable::warning(found);
    return fmt::format(
        "{}: its standard error is nan where the paths are too few for the tails that they have shown; about "
        "{:.0f} would do",
        name_, wanted);
  }

 private:
  std::string name_;
  Variable variable_;
};

}  // namespace

const ObservableKind observable_non_gaussianity = {
    .name = "non_gaussianity",
    .summary = "k4 / (3 k2^2) of the displacement in the window",
    .make = made<NonGaussianity>,
};
const ObservableKind observable_velocity_non_gaussianity = {
    .name = "velocity_non_gaussianity",
    .summary = "k4 / (3 k2^2) of v at the end",
    .make = made<NonGaussianity>,
    .of = ObservableKind::velocity,
};

}  // namespace bmsim
