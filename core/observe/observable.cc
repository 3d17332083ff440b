#include "observe/observable.h"

#include <cmath>
#include <limits>

#include "error.h"
#include "nearest_name.h"
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

std::vector<Estimate> estimates(const Grouped& grouped) {
  std::vector<Estimate> all;
  for (size_t i = 0; i < grouped.value.size(); ++i) all.push_back({grouped.value[i], grouped.error[i]});
  return all;
}

namespace {

constexpr KnownObservable others[] = {
    {"mobility", make_mobility},
    {"efficiency", make_efficiency},
    {"moments", make_moments},
    {"non_gaussianity", make_non_gaussianity},
    {"velocity_non_gaussianity", make_non_gaussianity},
    {"density", make_density},
    {"velocity_density", make_velocity_density},
    {"joint_density", make_joint_density},
    {"fractional_moment", make_fractional_moment},
    {"current", make_current},
    {"correlation", make_correlation},
    {"spectrum", make_spectrum},
    {"stroboscope", make_stroboscope},
    {"paths", make_paths},
    {"first_passage", make_first_passage},
    {"residence", make_residence},
    {"lyapunov", make_lyapunov},
    {"basins", make_basins},
};

}  // namespace

std::unique_ptr<Observable> make_observable(const ObservableRequest& request) {
  std::vector<std::string> known;
  for (const auto& all : {window_observables(), std::span<const KnownObservable>(others)})
    for (const KnownObservable& one : all) {
      if (request.name == one.name) return one.make(request);
      known.emplace_back(one.name);
    }
  fail("observe: unknown observable '{}'{}", request.name, suggestion(request.name, known));
}

}  // namespace bmsim
