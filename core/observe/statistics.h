// Statistics of one number per path, with honest errors.
#pragma once
#include <span>
#include <vector>

#include "observe/observable.h"

namespace bmsim {

/// Mean, variance, third and fourth cumulant: unbiased. Errors of high ones are nan for too few paths.
std::vector<Estimate> cumulants_of(std::span<const double> values);

/// Probability density of the values in a range, by bin.
Grouped density_of(std::span<const double> values, size_t bins, double from, double to);

/// <exp(c W)> and ln <exp(c W)> / c. Few paths may carry these averages: where the weights are so skewed that their
/// scatter does not know its own size, errors are nan; where one path has half of the weight, the values are, too.
struct Exponential {
  Estimate average, exponent;
};
/// ln <w>/c from the means of w = exp(c z), w^2, w^3, z and z^2 over n numbers; variance: of the mean of w. The error
/// is nan as above; nothing of it is known of z that have no finite means.
Estimate exponent_of(std::span<const double, 5> means, double c, double n, double variance);
Exponential exponential_of(std::span<const double> values, double c);

}  // namespace bmsim
