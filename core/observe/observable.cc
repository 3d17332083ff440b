#include "observe/observable.h"

#include "error.h"
#include "nearest_name.h"
#include "observe/known.h"

namespace bmsim {

PointFacts PointFacts::of(size_t variable) const {
  PointFacts facts = *this;
  if (variable < several.size()) static_cast<VariableFacts&>(facts) = several[variable];
  return facts;
}

double PointFacts::level_seen(double x) const {
  const double u = x / length();
  if (walked_edges.empty()) return u;
  const double whole = std::floor(u - walked_edges.front() + 1e-9), at = u - whole;
  const auto nearest = std::ranges::min_element(walked_edges, {}, [&](double edge) { return std::abs(edge - at); });
  const auto pieces = static_cast<double>(walked_edges.size() - 1);
  return 2 * (whole * pieces + static_cast<double>(nearest - walked_edges.begin()));
}

Estimate mean(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double average = sum / n;
  double squares = 0;
  for (const double value : values) squares += (value - average) * (value - average);
  if (values.size() < fewest_parts) return {average, nan};
  return {average, std::sqrt(squares / (n - 1) / n)};
}

Estimate mean_of_skewed(std::span<const double> values) {
  Estimate result = mean(values);
  const double n = static_cast<double>(values.size());
  double second = 0, third = 0;
  for (const double value : values) {
    const double d = value - result.value;
    second += d * d / n;
    third += d * d * d / n;
  }
  result.error *= widening_of_skewed(asymmetry_of(second, third, n));
  return result;
}

double Observable::fewest_for_squares(const Findings& found, const std::vector<std::string>& names) const {
  double fewest = 0;
  if (std::ranges::any_of(names, [&](const std::string& quantity) { return order(quantity) == 2; }))
    for (const PointFacts& facts : found.facts) fewest = std::max(fewest, facts.fewest_for_squares);
  return fewest;
}

std::string Observable::warning(const Findings& found) const {
  double paths = infinity, tail = paths;
  for (const PointFacts& facts : found.facts) paths = std::min(paths, facts.paths), tail = std::min(tail, facts.tail);
  std::vector<std::string> lost, names = columns();
  for (const Array& array : found.arrays)
    if (!array.name.ends_with("_err")) names.push_back(array.name);
  for (const std::string& quantity : names)
    if (order(quantity) >= tail || 2 * order(quantity) >= tail) {
      const bool any = std::ranges::any_of(found.facts, [&](const PointFacts& facts) {
        return !facts.has_moment(order(quantity)) || !facts.has_error(order(quantity));
      });
      if (any) lost.push_back(order(quantity) >= tail ? quantity : quantity + "_err");
    }
  if (!lost.empty())
    return fmt::format(
        "{}: nan: {}; under Levy noise moments exist below the order alpha = {} only, and their errors below "
        "half of it",
        name(), fmt::join(lost, ", "), tail);
  const double for_squares = fewest_for_squares(found, names);
  if (paths < for_squares)
    return fmt::format(
        "{}: its standard errors are nan with {} paths, which may not have met the tails that noise in proportion to "
        "the state, or a formula that grows faster, makes heavy; {} would do",
        name(), paths, for_squares);
  if (paths < fewest_paths())
    return fmt::format("{}: its standard errors are nan with {} paths; {} would do", name(), paths, fewest_paths());
  return own_warning(found);
}

Estimate Pooled::function(const std::function<double(const std::vector<double>&)>& f) const {
  const double value = f(mean);
  if (covariance.empty()) return {value, nan};
  const size_t n = mean.size();
  std::vector<double> slopes(n), near = mean;
  for (size_t i = 0; i < n; ++i) {
    constexpr double part = 0.01;  // of a standard error
    const double step = part * std::sqrt(of(i, i));
    if (!(step > 0)) continue;
    near[i] = mean[i] + step;
    slopes[i] = f(near);
    near[i] = mean[i] - step;
    slopes[i] = (slopes[i] - f(near)) / (2 * step);
    near[i] = mean[i];
  }
  double square = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < n; ++k)
      if (slopes[i] != 0 && slopes[k] != 0) square += slopes[i] * of(i, k) * slopes[k];
  return {value, square < 0 ? 0 : std::sqrt(square)};
}

std::vector<Estimate> estimates(const Grouped& grouped) {
  std::vector<Estimate> pairs;
  for (size_t i = 0; i < grouped.value.size(); ++i) pairs.push_back({grouped.value[i], grouped.error[i]});
  return pairs;
}

std::span<const ObservableKind* const> observable_kinds() {
  static constexpr const ObservableKind* kinds[] = {
#define BM_KIND(name) &observable_##name,
      BM_OBSERVABLES(BM_KIND)
#undef BM_KIND
  };
  return kinds;
}

const ObservableKind& observable_kind(std::string_view name) {
  for (const ObservableKind* kind : observable_kinds())
    if (name == kind->name) return *kind;
  std::vector<std::string> known;
  for (const ObservableKind* kind : observable_kinds()) known.emplace_back(kind->name);
  fail("observe: unknown observable '{}'{}", name, suggestion(name, known));
}

}  // namespace bmsim
