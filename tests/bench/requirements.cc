#include "requirements.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace bmsim::bench {

namespace {

struct Requirement {
  std::string what;
  double measured;
  const char* relation;
  double bound;
  bool holds;  ///< never with nan
};
std::vector<Requirement> all;

}  // namespace

void require_at_least(std::string what, double measured, double bound) {
  all.push_back({std::move(what), measured, ">=", bound, measured >= bound});
}
void require_at_most(std::string what, double measured, double bound) {
  all.push_back({std::move(what), measured, "<=", bound, measured <= bound});
}

int report_requirements() {
  if (all.empty()) return 0;
  int failed = 0;
  fmt::print("\n{:<64}{:>10}{:>14}\n", "ratio", "measured", "required");
  for (const Requirement& one : all) {
    fmt::print("{:<64}{:>10.4g}{:>5}{:>9}  {}\n", one.what, one.measured, one.relation, one.bound,
               one.holds ? "holds" : "FAILS");
    failed += !one.holds;
  }
  fmt::print("{} of {} requirements hold\n", all.size() - static_cast<size_t>(failed), all.size());
  return failed > 0 ? 1 : 0;
}

}  // namespace bmsim::bench
