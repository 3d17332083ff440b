#include "observe/statistics.h"

#include <algorithm>
#include <cmath>

#include "numbers.h"

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
/// that n normal numbers would have gone beyond it, the moments are those of a lognormal law that ends one standard
/// deviation above it.
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

}  // namespace

std::vector<Estimate> cumulants_of(std::span<const double> values) {
  std::vector<Estimate> cumulants = estimates(Numbers(values).recording().cumulants(Variable::x));
  cumulants[0] = mean_of_skewed(values);
  return cumulants;
}

Grouped density_of(std::span<const double> values, size_t bins, double from, double to) {
  const Axis axis{.variable = Variable::x, .count = bins, .from = from, .to = to};
  return Numbers(values).recording().density(axis, nullptr, false);
}

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

}  // namespace bmsim
