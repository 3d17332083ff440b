// The functions that formulas know.
#pragma once
#include <span>
#include <string_view>

namespace bmsim::formula {

/// `inner`: not available to users, such as select(a, b, c, d), c if a < b, else d, which derivatives of min and max
/// need. `rough`: has jumps or kinks. `jumps`: has jumps; those by 2 pi, which waves do not notice, do not count.
/// call() writes sqrt, pow, mod and if in terms of others.
struct Function {
  std::string_view name;
  size_t arguments;
  double (*value)(const double* a);
  bool inner, rough, jumps;
};

std::span<const Function> functions();
/// Null if there is none.
const Function* find_function(std::string_view name);

}  // namespace bmsim::formula
