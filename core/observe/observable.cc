#include "observe/observable.h"

#include <cmath>
#include <limits>

#include "error.h"
#include "observe/known.h"

namespace bmsim {

Estimate mean(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double average = sum / n;
  double squares = 0;
  for (const double value : values) squares += (value - average) * (value - average);
  if (values.size() < 2) return {average, std::numeric_limits<double>::quiet_NaN()};
  return {average, std::sqrt(squares / (n - 1) / n)};
}

std::unique_ptr<Observable> make_observable(const ObservableRequest& request) {
  std::vector<std::string> known;
  for (const auto& all : {window_observables(), recorded_observables()})
    for (const KnownObservable& one : all) {
      if (request.name == one.name) return one.make(request);
      known.emplace_back(one.name);
    }
  fail("observe: unknown observable '{}'; known: {}", request.name, fmt::join(known, ", "));
}

}  // namespace bmsim
