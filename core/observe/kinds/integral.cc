// Functionals of the path over the window: integrals of formulas of the state and t over time, or over positions and
// velocities in the sense of Stratonovich; also work and heat, which models define. Each has a mean, a variance,
// cumulants, a density, and the average of exp(c W), as in C. Jarzynski, Phys. Rev. Lett. 78, 2690 (1997).
//
// Work is what the constant forces f and the drives F(t) do, the integral of (f + F) o dx: these forces are no part of
// the energy, U = V + m v^2/2. Heat is what passes into the baths: the integral of all forces over dx, less the change
// of m v^2/2. The change of U is the work minus the heat (K. Sekimoto, Stochastic Energetics, 2010; U. Seifert, Rep.
// Prog. Phys. 75, 126001, 2012).
#include <set>

#include "error.h"
#include "observe/energies.h"
#include "observe/known.h"
#include "observe/of_formula.h"
#include "observe/options.h"

namespace bmsim {

namespace {

/// Largest asymmetry of weights (squared skewness over their number) with which their scatter gives the error: that of
/// the weights that were met, and that which must be expected. Beyond it estimates lie below the true average much more
/// often than above it. The first alone would be too small just where rare paths are missing, and the average with it.
constexpr double most_skewed = 0.25, most_expected = 0.06;
constexpr double fewest_weights = 128;
/// Largest relative error of an average whose logarithm is taken: the bias of that is removed to first order only.
constexpr double most_uncertain = 0.2;

/// Asymmetry of exp(z) for n normal numbers z of this standard deviation. If the highest z is so little above the mean
/// that n normal numbers would have gone beyond it, the law is lognormal and ends one standard deviation above it.
double expected_asymmetry(double deviation, double highest, double n) {
  if (!(deviation > 0)) return 0;
  const auto below = [](double z) { return std::erfc(-z / std::sqrt(2)) / 2; };
  const bool ends = n * below(-highest / deviation) > 7;  // in one of a thousand ensembles none is higher
  const double end = ends ? highest / deviation + 1 : infinity;
  const auto moment = [&](double k) {  // moment k over exp(k s^2/2), which leaves the ratios m2 and m3 as they are
    return std::exp(k * (k - 1) * deviation * deviation / 2) * below(end - k * deviation) / below(end);
  };
  const double m1 = moment(1), m2 = moment(2) / (m1 * m1), m3 = moment(3) / (m1 * m1 * m1);
  const double variance = m2 - 1, skewness = (m3 - 3 * m2 + 2) / std::pow(variance, 1.5);
  return variance > 1e-9 ? skewness * skewness / n : 0;
}

/// A recording of one number per path.
struct Numbers {
  std::vector<double> values;
  HostSamples samples;
  explicit Numbers(std::span<const double> numbers)
      : values(numbers.begin(), numbers.end()), samples(values.data(), values.size(), values.size()) {}
  Recording recording() const { return {samples, {0}, {0}, SampleValues()}; }
};

/// Mean, variance, third and fourth cumulant, unbiased. The errors of the last two are nan for too few paths.
std::vector<Estimate> cumulants_of(std::span<const double> values) {
  std::vector<Estimate> cumulants = estimates(Numbers(values).recording().cumulants(Variable::x));
  cumulants[0] = mean_of_skewed(values);
  return cumulants;
}

Grouped density_over(std::span<const double> values, size_t bins, double from, double to) {
  const Axis axis{.variable = Variable::x, .count = bins, .from = from, .to = to};
  return Numbers(values).recording().density(axis, nullptr, false);
}

/// <exp(c W)> and ln <exp(c W)> / c. Few paths may carry these averages. Errors are nan where the weights are so skewed
/// that their scatter does not show how large it is; the values, too, where one path has half of the weight.
struct Exponential {
  Estimate average, exponent;
};
Exponential exponential_of(std::span<const double> values, double c) {
  const Exponential unknown{{nan, nan}, {nan, nan}};
  const double n = static_cast<double>(values.size());
  double highest = -infinity;
  for (const double value : values) {
    if (!std::isfinite(value)) return unknown;
    highest = std::max(highest, c * value);
  }
  std::vector<double> weights;
  for (const double value : values) weights.push_back(std::exp(c * value - highest));
  Estimate average = mean_of_skewed(weights);
  if (values.size() > 2 && average.value * n <= 2) return unknown;  // the highest weight is 1
  double second = 0, third = 0;
  for (const double weight : weights) {
    const double d = weight - average.value;
    second += d * d / n;
    third += d * d * d / n;
  }
  const double deviation = std::abs(c) * std::sqrt(cumulants_of(values)[1].value);
  const double expected = expected_asymmetry(deviation, highest - c * mean(values).value, n);
  const double asymmetry = asymmetry_of(second, third, n);
  average.error *= widening_of_skewed(std::max(asymmetry, expected)) / widening_of_skewed(asymmetry);
  if (!(asymmetry <= most_skewed && expected <= most_expected && n >= fewest_weights)) average.error = nan;
  const double relative = average.error / average.value, scale = std::exp(highest);
  const double bias = second / (n - 1) / (average.value * average.value) / 2;  // of the logarithm
  return {{average.value * scale, average.error * scale},
          {(highest + std::log(average.value) + bias) / c, relative <= most_uncertain ? relative / std::abs(c) : nan}};
}

/// ln <w>/c from the means of w = exp(c z), w^2, w^3, z and z^2 over n numbers. variance: of the mean of w. The error
/// is nan as for Exponential, and so is the value if the means are not finite.
Estimate exponent_of(std::span<const double, 5> means, double c, double n, double variance) {
  const double w = means[0], second = means[1] - w * w, third = means[2] - 3 * w * means[1] + 2 * w * w * w;
  if (!(w > 0) || !std::isfinite(means[2])) return {nan, nan};
  const double deviation = std::abs(c) * std::sqrt(std::max(0.0, means[4] - means[3] * means[3]));
  const double endless = std::numeric_limits<double>::max();  // the highest number is not known
  const bool few = asymmetry_of(second, third, n) > most_skewed || n < fewest_weights ||
                   expected_asymmetry(deviation, endless, n) > most_expected;
  const double square = variance / (w * w), relative = std::sqrt(square);
  return {(std::log(w) + (std::isfinite(square) ? square / 2 : 0)) / c,
          few || !(relative <= most_uncertain) ? nan : relative / std::abs(c)};
}

/// A sum of integrals under one name.
struct Functional {
  std::string name;
  std::vector<PathIntegral> terms{};
  std::optional<double> constant{};  ///< c of exp(c W), if it is a number
  std::string formula_of_c{};        ///< "" if c is a number, or not wanted
  double from = 0, to = 0;           ///< range of the density; equal if there is none
  bool has_exponential() const { return constant || !formula_of_c.empty(); }
};

const std::set<std::string, std::less<>> own_options = {"bins", "range", "cumulants", "exponential"};

/// "heat.x" -> "heat", "x".
std::pair<std::string, std::string> parts(const std::string& option) {
  const size_t dot = option.find('.');
  return {option.substr(0, dot), dot == option.npos ? "" : option.substr(dot + 1)};
}

class Integral : public Observable {
 public:
  explicit Integral(const ObservableRequest& request) : name_(request.name) {
    ObservableRequest own_request(request.name.c_str());
    if (name_ == "work") functionals_.push_back({name_, needs_of_work("observe.work")});
    if (name_ == "heat") functionals_.push_back({name_, needs_of_heat("observe.heat")});
    for (const auto& [option, formula] : request.words) {
      if (name_ != "integral" || own_options.contains(parts(option).first))
        own_request.words[option] = formula;
      else
        add(option, formula);
    }
    for (const auto& [option, numbers] : request.numbers) {
      if (name_ == "integral" && !own_options.contains(parts(option).first))
        fail("observe.integral: {} must be a formula, got a number; write it as \"{}\"", option,
             numbers.empty() ? 0 : numbers[0]);
      own_request.numbers[option] = numbers;
    }
    if (functionals_.empty())
      fail(
          "observe.integral: must be given formulas by name, as in {{ work = \"-v*x\" }} or {{ heat = {{ x = \"-x\" }} "
          "}}");
    read(own_request);
  }
  std::string name() const override { return name_; }
  std::vector<std::string> columns() const override {
    std::vector<std::string> names;
    for (const Functional& functional : functionals_) {
      names.push_back(functional.name);
      names.push_back(functional.name + "_variance");
      for (size_t k = 3; k <= cumulants_; ++k) names.push_back(fmt::format("{}_cumulant_{}", functional.name, k));
      if (!functional.has_exponential()) continue;
      names.push_back(functional.name + "_exponential");
      names.push_back(functional.name + "_free_energy");
    }
    return names;
  }
  ColumnLabel label(const std::string& column) const override {
    for (const Functional& functional : functionals_) {
      if (!column.starts_with(functional.name)) continue;
      const std::string text = text_of(functional), suffix = column.substr(functional.name.size());
      const std::string energy = name_ == "integral" ? "" : "energy";
      if (suffix.empty()) return {fmt::format("<{}>", functional.name), energy, "mean of " + text};
      if (suffix == "_variance")
        return {fmt::format("Var {}", functional.name), energy.empty() ? "" : "energy^2", "variance of " + text};
      if (suffix == "_exponential")
        return {fmt::format("<exp(c {})>", functional.name), "", fmt::format("average of exp(c W), W = {}", text)};
      if (suffix == "_free_energy")
        return {fmt::format("ln <exp(c {})>/c", functional.name), "", fmt::format("ln <exp(c W)>/c, W = {}", text)};
      if (suffix.starts_with("_cumulant_"))
        return {fmt::format("k_{}({})", suffix.back(), functional.name), "",
                fmt::format("cumulant of order {} of {}", suffix.back(), text)};
    }
    return Observable::label(column);
  }
  Needs needs() const override {
    Needs needs{.windows = true, .steps = true};
    needs.energies = name_ == "work" ? Needs::work : name_ == "heat" ? Needs::heat : Needs::none;
    for (const Functional& functional : functionals_) {
      needs.integrals.insert(needs.integrals.end(), functional.terms.begin(), functional.terms.end());
      if (!functional.formula_of_c.empty()) needs.constants.push_back(functional.formula_of_c);
    }
    return needs;
  }
  std::vector<Array> arrays(const PointFacts&) const override {
    std::vector<Array> densities;
    for (const Functional& functional : functionals_) {
      if (functional.from == functional.to) continue;
      Coordinate bin{functional.name + "_bin", functional.name, "", {}};
      bin.values = bin_centres(functional.from, (functional.to - functional.from) / static_cast<double>(bins_), bins_);
      for (const char* suffix : {"", "_err"})
        densities.push_back(
            {functional.name + "_density" + suffix, fmt::format("p({})", functional.name), "", {bin}, {}});
    }
    return densities;
  }
  void measure(const Measured& m, std::vector<Estimate>& columns,
               std::vector<std::vector<double>>& arrays) const override {
    for (const Functional& functional : functionals_) {
      const std::vector<double> values = values_of(functional, m);
      const std::vector<Estimate> cumulants = cumulants_of(values);
      columns.insert(columns.end(), cumulants.begin(), cumulants.begin() + static_cast<ptrdiff_t>(cumulants_));
      if (functional.has_exponential()) {
        const double c = constant_of(functional, m.facts);
        const Exponential exponential = exponential_of(values, c);
        columns.push_back(exponential.average);
        columns.push_back(exponential.exponent);
      }
      if (functional.from == functional.to) continue;
      Grouped density = density_over(values, bins_, functional.from, functional.to);
      arrays.push_back(std::move(density.value));
      arrays.push_back(std::move(density.error));
    }
  }
  std::vector<size_t> pooled_columns() const override {
    std::vector<size_t> indices;
    const std::vector<std::string> names = columns();
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i].ends_with("_free_energy") && names[i - 1].ends_with("_exponential")) indices.push_back(i);
    return indices;
  }
  /// Means of w = exp(c W), w^2, w^3, W and W^2, for every logarithm.
  std::vector<double> pooled_numbers(const Measured& m) const override {
    std::vector<double> numbers;
    for (const Functional& functional : functionals_) {
      if (!functional.has_exponential()) continue;
      const double c = constant_of(functional, m.facts);
      double sums[numbers_of_exponent] = {};
      const std::vector<double> values = values_of(functional, m);
      for (const double value : values) {
        const double w = std::exp(c * value);
        sums[0] += w, sums[1] += w * w, sums[2] += w * w * w, sums[3] += value, sums[4] += value * value;
      }
      for (const double sum : sums) numbers.push_back(sum / static_cast<double>(values.size()));
    }
    return numbers;
  }
  std::vector<ColumnEstimate> of_pooled(const Pooled& pooled, const PointFacts& facts) const override {
    std::vector<ColumnEstimate> column_estimates;
    const std::vector<size_t> indices = pooled_columns();
    for (const Functional& functional : functionals_) {
      if (!functional.has_exponential()) continue;
      const size_t k = column_estimates.size(), first = k * numbers_of_exponent;
      const auto means = std::span(pooled.mean).subspan(first).first<numbers_of_exponent>();
      const double alone = (means[1] - means[0] * means[0]) / pooled.paths;
      column_estimates.push_back(
          {indices[k], exponent_of(means, constant_of(functional, facts), pooled.paths,
                                   pooled.covariance.empty() ? alone : pooled.of(first, first))});
    }
    std::erase_if(column_estimates, [](const ColumnEstimate& column) { return std::isnan(column.estimate.value); });
    return column_estimates;
  }
  double order(const std::string& column) const override {
    for (const Functional& functional : functionals_)
      if (column == functional.name) return 1;
    if (column.ends_with("_variance")) return 2;
    if (column.ends_with("_cumulant_3")) return 3;
    return column.find("_density") == column.npos ? 4 : 0;
  }
  std::string own_warning(const Findings& found) const override {
    std::vector<std::string> hopeless, uncertain;
    const std::vector<std::string> names = columns();
    for (size_t i = 0; i < names.size() && i < found.columns.size(); ++i) {
      if (!names[i].ends_with("_exponential")) continue;
      const auto any = [&](const auto& rule) { return std::ranges::any_of(found.columns[i], rule); };
      if (any([](const Estimate& e) { return std::isnan(e.value); }))
        hopeless.push_back(names[i]);
      else if (any([](const Estimate& e) { return std::isnan(e.error); }))
        uncertain.push_back(names[i]);
    }
    if (!hopeless.empty())
      return fmt::format(
          "{}: nan: {}; one path has half of the weight exp(c W) of all, and the average is decided by paths "
          "that are too rare to be among these; a slower or a shorter process has more",
          name_, fmt::join(hopeless, ", "));
    if (!uncertain.empty())
      return fmt::format(
          "{}: the standard error of {} is nan: few paths carry the average of exp(c W), and those that decide "
          "it may be missing; more paths, or a slower or a shorter process, would do",
          name_, fmt::join(uncertain, ", "));
    return "";
  }

 private:
  void add(const std::string& option, const std::string& formula) {
    const auto [name, over] = parts(option);
    if (!is_name(name))
      fail("observe.integral: a name must be letters, digits and '_', no digit first, got '{}'", name);
    if (functionals_.empty() || functionals_.back().name != name) functionals_.push_back({name});
    std::vector<PathIntegral>& terms = functionals_.back().terms;
    terms.push_back({.name = fmt::format("integral_{}_{}", name, terms.size()),
                     .formula = formula,
                     .over = over.empty() ? "t" : over,
                     .subject = "observe.integral: " + option});
  }
  void read(const ObservableRequest& request) {
    Options options(request);
    bins_ = options.count("bins", 100, 2, 100000);
    cumulants_ = options.count("cumulants", 2, 2, 4);
    const auto range = [&](const std::string& option, Functional& functional) {
      if (const auto ends = options.range(option)) functional.from = ends->at(0), functional.to = ends->at(1);
    };
    const auto constant = [&](const std::string& option, Functional& functional) {
      if (const auto word = request.words.find(option); word != request.words.end()) {
        functional.formula_of_c = options.word(option, {word->second});
        functional.constant.reset();
      } else if (request.numbers.contains(option)) {
        functional.constant = options.number(option, 0, -1e300, 1e300);
        functional.formula_of_c.clear();
        if (*functional.constant == 0) fail("observe.{}: {}: c of exp(c W) must not be 0", name_, option);
      }
    };
    options.know("exponential");
    for (Functional& functional : functionals_) {
      range("range", functional);
      constant("exponential", functional);
      if (name_ != "integral") continue;
      range("range." + functional.name, functional);
      constant("exponential." + functional.name, functional);
    }
    options.end();
    if (request.numbers.contains("bins") && std::ranges::all_of(functionals_, [](const Functional& functional) {
          return functional.from == functional.to;
        }))
      fail("observe.{}: range must be given with bins, the lowest and the highest value", name_);
  }
  static constexpr size_t numbers_of_exponent = 5;
  static double constant_of(const Functional& functional, const PointFacts& facts) {
    return functional.constant ? *functional.constant : facts.constants.at(functional.formula_of_c);
  }
  std::string text_of(const Functional& functional) const {
    if (name_ == "work") return "work of the constant forces and drives";
    if (name_ == "heat") return "heat that passes into the baths";
    std::string text;
    for (const PathIntegral& term : functional.terms)
      text += fmt::format("{}integral of {} over {}", text.empty() ? "" : " + ", term.formula, term.over);
    return text;
  }
  std::vector<double> values_of(const Functional& functional, const Measured& m) const {
    std::vector<double> sums(m.window.start.size());
    const auto add = [&](std::span<const double> values) {
      for (size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
    };
    if (name_ == "integral") {
      for (const PathIntegral& term : functional.terms) add(m.window.counted.at("integral." + term.name));
    } else {
      for (size_t k = 0; k < m.windows.size(); ++k) add(name_ == "work" ? work_on(m, k) : heat_from(m, k));
    }
    return sums;
  }

  std::string name_;
  std::vector<Functional> functionals_;
  size_t bins_ = 100, cumulants_ = 2;
};

constexpr ObservableKind functional(const char* name, const char* summary) {
  return {.name = name,
          .summary = summary,
          .options = "bins cumulants exponential range",
          .make = made<Integral>,
          .of = ObservableKind::state};
}

}  // namespace

const ObservableKind observable_integral =
    functional("integral", "a formula integrated along each path of the window: mean, variance, density");
const ObservableKind observable_work = functional("work", "the work that constant forces and drives do in the window");
const ObservableKind observable_heat = functional("heat", "the heat that passes into the baths in the window");

}  // namespace bmsim
