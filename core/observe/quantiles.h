// Quantiles of the laws by which differences are judged.
#pragma once

namespace bmsim {

/// z such that |Z| > z has this probability for a standard normal Z, by Newton's method on erfc.
double normal_quantile_of_tails(double probability);
/// The same quantile of Student's law from that of the normal law, to second order in 1/freedom.
double student(double z, double freedom);

}  // namespace bmsim
