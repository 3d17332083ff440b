// Quantiles of the laws against which differences are tested.
#pragma once

namespace bmsim {

/// z such that |Z| > z has this probability for a standard normal Z; by Newton's method on erfc.
double normal_quantile_of_tails(double probability);
/// Quantile of Student's law with `freedom` degrees of freedom, from the normal quantile z of the same tails, to second
/// order in 1/freedom.
double student(double z, double freedom);

}  // namespace bmsim
