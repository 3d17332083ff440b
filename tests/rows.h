// What a check has compared, as a line of the file $BMSIM_VALIDATION: docs/validation.md is generated from these rows.
// Without the variable nothing is written. Every test program also writes a row at its end, however it ends.
#pragma once
#include <cmath>

namespace bmsim::test {

/// One comparison: `error` is the standard error, nan where the value is not an average; `bound` the largest standard
/// error allowed, and where there is none the largest distance from `exact`.
struct Row {
  const char* what;
  double measured, error, exact, bound;
  bool passed;
};
/// Adds the program, the test case and its captures. kind: "z", or "near" without a standard error.
void write_row(const char* kind, const Row& row);

}  // namespace bmsim::test

/// For numbers without a standard error: within `bound` of the exact value.
#define CHECK_NEAR(measured, exact, bound)                                                         \
  do {                                                                                             \
    const double m_ = (measured), exact_ = (exact), bound_ = (bound);                              \
    const bool near_ = std::abs(m_ - exact_) <= bound_;                                            \
    bmsim::test::write_row("near", {#measured, m_, std::nan(""), exact_, bound_, near_});          \
    CHECK_MESSAGE(near_, #measured, " = ", m_, ", exact ", exact_, ", allowed distance ", bound_); \
  } while (false)
