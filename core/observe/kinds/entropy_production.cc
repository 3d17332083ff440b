// Entropy that the baths of a thermal model gain per time: the heat that passes into each bath, over its temperature.
// In a steady state it is the whole rate of entropy production, in units of k_B. Also the thermodynamic uncertainty
// product, Var(X) S / <X>^2 >= 2, with the displacement X and the entropy S of the window (A. C. Barato, U. Seifert,
// Phys. Rev. Lett. 114, 158101, 2015).
#include "observe/energies.h"
#include "observe/known.h"
#include "observe/of_formula.h"
#include "observe/options.h"

namespace bmsim {

namespace {

/// Fewest paths for the error of the product, a ratio with a variance in it; and fewest standard errors of <X> where
/// there is a current to speak of.
constexpr double fewest_for_product = 256, least_current = 5;

class EntropyProduction : public Observable {
 public:
  EntropyProduction(const ObservableRequest& request, size_t variable, std::string name_of_variable)
      : name_of_variable_(std::move(name_of_variable)), variable_(variable) {
    Options(request).end();
  }
  std::string name() const override { return "entropy_production"; }
  std::vector<std::string> columns() const override { return {"entropy_production", "uncertainty"}; }
  ColumnLabel label(const std::string& column) const override {
    if (column == "uncertainty")
      return {"Var(X) S/<X>^2", "",
              fmt::format("thermodynamic uncertainty product, X = displacement of {}", name_of_variable_)};
    return {"sigma", "1/time", "entropy that baths gain per time, in k_B"};
  }
  Needs needs() const override {
    Needs needs{.windows = true, .steps = true};
    needs.energies = Needs::entropy;
    needs.integrals = needs_of_heat("observe.entropy_production");
    return needs;
  }
  std::vector<size_t> pooled_columns() const override { return {1}; }
  std::vector<double> pooled_numbers(const Measured& m) const override {
    const auto [moved, entropy] = moved_and_entropy(m);
    std::vector<double> numbers(3);
    const auto n = static_cast<double>(moved.size());
    for (size_t i = 0; i < moved.size(); ++i)
      numbers[0] += moved[i] / n, numbers[1] += moved[i] * moved[i] / n, numbers[2] += entropy[i] / n;
    return numbers;
  }
  std::vector<ColumnEstimate> of_pooled(const Pooled& pooled, const PointFacts&) const override {
    const std::vector<double>& x = pooled.mean;
    const double square = pooled.covariance.empty() ? (x[1] - x[0] * x[0]) / pooled.paths : pooled.of(0, 0);
    if (!(std::abs(x[0]) > least_current * (square > 0 ? std::sqrt(square) : 0))) return {{1, {nan, nan}}};
    Estimate uncertainty =
        pooled.function([](const std::vector<double>& y) { return (y[1] - y[0] * y[0]) * y[2] / (y[0] * y[0]); });
    if (pooled.paths < fewest_for_product) uncertainty.error = nan;
    return {{1, uncertainty}};
  }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    const auto [moved, entropy] = moved_and_entropy(m);
    const Estimate total = mean_of_skewed(entropy);
    columns = {{total.value / m.facts.window(), total.error / m.facts.window()}, product(moved, entropy)};
  }
  double fewest_paths() const override { return fewest_for_product; }
  std::string own_warning(const Findings& found) const override {
    for (const Estimate& uncertainty : found.columns[1])
      if (std::isnan(uncertainty.value))
        return fmt::format(
            "entropy_production: uncertainty is nan where the mean displacement of {} is less than {} standard errors "
            "from 0: the product is infinite without a current",
            name_of_variable_, least_current);
    return "";
  }

 private:
  /// Displacements of all paths, and the entropy that the baths gained along each.
  std::pair<std::vector<double>, std::vector<double>> moved_and_entropy(const Measured& m) const {
    const Window& x = m.windows[variable_];
    std::vector<double> entropy(x.start.size()), moved(x.start.size());
    for (size_t k = 0; k < m.windows.size(); ++k) {
      const VariableFacts& facts = m.facts.variable(k);
      const std::vector<double> heat = heat_from(m, k);
      for (size_t i = 0; i < entropy.size(); ++i) entropy[i] += heat[i] * facts.gamma / facts.thermal;
    }
    for (size_t i = 0; i < moved.size(); ++i) moved[i] = x.end[i] - x.start[i];
    return {std::move(moved), std::move(entropy)};
  }
  static Estimate product(const std::vector<double>& moved, const std::vector<double>& entropy) {
    const Estimate current = mean(moved);
    const double centre = current.value;
    if (!(std::abs(centre) > least_current * current.error)) return {nan, nan};
    const auto add = [&](size_t path, std::array<double, 4>& sums) {
      const double d = moved[path] - centre;  // about a number near the mean, so that no digits are lost
      sums[0] += 1, sums[1] += d, sums[2] += d * d, sums[3] += entropy[path];
    };
    const Grouped result = jackknife_of_sums<4>(moved.size(), add, [&](const std::array<double, 4>& sums) {
      const double n = sums[0], a = sums[1] / n, variance = (sums[2] / n - a * a) * n / (n - 1);
      return std::array<double, 1>{variance * (sums[3] / n) / ((centre + a) * (centre + a))};
    });
    const double n = static_cast<double>(moved.size());
    return {result.value[0],
            n < fewest_for_product ? nan : result.error[0] * widening_of_squares(n, result.asymmetry[0])};
  }

  std::string name_of_variable_;
  size_t variable_;
};

std::unique_ptr<Observable> make_entropy_production(const ObservableRequest& request) {
  return std::make_unique<EntropyProduction>(request, 0, "x");
}
/// With the displacement of the variable that "of" names, or of the first one.
std::unique_ptr<Observable> make_in_system(const ObservableRequest& request,
                                           std::span<const ObservedVariable> variables) {
  const auto word = request.words.find("of");
  const std::string name = word == request.words.end() ? variables[0].name : word->second;
  ObservableRequest own_request = request;
  own_request.words.erase("of");
  return std::make_unique<EntropyProduction>(own_request, index_of(request, name, variables), name);
}

}  // namespace

const ObservableKind observable_entropy_production = {
    .name = "entropy_production",
    .summary = "the entropy production, per time",
    .make = make_entropy_production,
    .of = ObservableKind::state,
    .in_system = make_in_system,
};

}  // namespace bmsim
