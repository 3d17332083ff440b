// Statistics of one number per path, with errors that are nan where they are not known.
#pragma once
#include <span>
#include <vector>

#include "observe/observable.h"

namespace bmsim {

/// Mean, variance, third and fourth cumulant, unbiased. The errors of the last two are nan for too few paths.
std::vector<Estimate> cumulants_of(std::span<const double> values);

/// Probability density of the values over [from, to], by bin.
Grouped density_of(std::span<const double> values, size_t bins, double from, double to);

/// <exp(c W)> and ln <exp(c W)> / c. Few paths may carry these averages. Errors are nan where the weights are so skewed
/// that their scatter does not show how large it is; the values, too, where one path has half of the weight.
struct Exponential {
  Estimate average, exponent;
};
/// ln <w>/c from the means of w = exp(c z), w^2, w^3, z and z^2 over n numbers. variance: of the mean of w. The error
/// is nan as for Exponential, and so is the value if the means are not finite.
Estimate exponent_of(std::span<const double, 5> means, double c, double n, double variance);
Exponential exponential_of(std::span<const double> values, double c);

}  // namespace bmsim
