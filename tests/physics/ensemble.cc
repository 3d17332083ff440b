#include "ensemble.h"

#include <cmath>
#include <cstdlib>
#include <string_view>

namespace bmsim::test {

namespace {

void add_parts(Model& model, std::initializer_list<Part> parts) {
  const char* elsewhere = std::getenv("BMSIM_TEST_PLUGINS");  // where the tests run from an install
  Registry::instance().load_directory(elsewhere != nullptr ? elsewhere : BMSIM_PLUGIN_BUILD_DIR);
  for (const auto& part : parts) {
    const std::string name = model.add(part.kind, part.id, part.name).name;
    for (const auto& [parameter, value] : part.given) model.set(name + "." + parameter, value);
    for (const auto& [parameter, word] : part.words) model.set_choice(name + "." + parameter, word);
    for (const auto& [list, numbers] : part.lists) model.set_list(name + "." + list, numbers);
    if (part.modulates) model.modulate(name);
  }
}

}  // namespace

Model make_model(std::initializer_list<Part> parts, double force) {
  Model model;
  add_parts(model, parts);
  model.set("force", force);
  return model;
}

Model make_model(const Inertial& numbers, std::initializer_list<Part> parts) {
  Model model;
  model.make_underdamped();
  add_parts(model, parts);
  model.set("mass", numbers.mass);
  model.set("gamma", numbers.gamma);
  model.set("force", numbers.force);
  return model;
}

RunOptions options() {
  RunOptions result;
  if (const char* device = std::getenv("BMSIM_TEST_DEVICE")) result.device = device;
  if (const char* seed = std::getenv("BMSIM_TEST_SEED")) result.seed = std::strtoull(seed, nullptr, 10);
  return result;
}

FastestGroups::FastestGroups() {
  if (const char* size = std::getenv("BMSIM_KERNEL_GROUP")) before_ = size;
  unsetenv("BMSIM_KERNEL_GROUP");
}
FastestGroups::~FastestGroups() {
  if (!before_.empty()) setenv("BMSIM_KERNEL_GROUP", before_.c_str(), 1);
}

double coarseness() {
  const char* cases = std::getenv("BMSIM_TEST_CASES");
  return cases != nullptr && std::string_view(cases) == "long" ? 2 : 1;
}
uint64_t fewer_in_ci(uint64_t paths) { return coarseness() > 1 ? paths / 4 : paths; }

Sample sample(const Model& model, const RunOptions& options) {
  RunOptions both = options;
  both.observables = {"velocity", "diffusion"};
  if (model.underdamped()) both.observables.emplace_back("velocity_squared");
  const Plan plan = make_plan(model, Sweep(), both);
  Sample result;
  RunHooks hooks;
  hooks.window = [&](size_t, std::span<const Window> windows) {
    const Window& window = windows[0];
    result.start.assign(window.start.begin(), window.start.end());
    result.end.assign(window.end.begin(), window.end.end());
    result.speed.assign(window.velocity.begin(), window.velocity.end());
    result.duration = window.duration;
  };
  result.outcome = run(plan, hooks);
  result.velocity = result.outcome.estimates[0][0];
  result.diffusion = result.outcome.estimates[1][0];
  if (model.underdamped()) result.velocity_squared = result.outcome.estimates[2][0];
  return result;
}

Estimate variance(const std::vector<double>& x) {
  const double centre = mean(x).value, n = static_cast<double>(x.size());
  Estimate result = average(x, [&](double one) { return (one - centre) * (one - centre); });
  result.value *= n / (n - 1);
  return result;
}

Estimate third_cumulant(const std::vector<double>& x) {
  // The mean enters the third moment to first order: subtracting 3 s^2 (x - mean) gives each path its whole share.
  const double centre = mean(x).value, s2 = variance(x).value;
  return average(x, [&](double one) {
    const double d = one - centre;
    return d * d * d - 3 * s2 * d;
  });
}

}  // namespace bmsim::test
