#include "observe/energies.h"

#include <fmt/format.h>

namespace bmsim {

namespace {

/// Adds `weight` times an integral of every path to the sums, if the kernel counts it. Returns whether it does.
bool add_counted(const Measured& m, const std::string& name, double weight, std::vector<double>& sums) {
  const auto found = m.window.counted.find("integral." + name);
  if (found == m.window.counted.end()) return false;
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += weight * found->second[i];
  return true;
}

}  // namespace

std::string driving_name(size_t k, bool with_force) {
  return fmt::format("driving_{}{}", k, with_force ? "_with_force" : "");
}
std::string force_name(size_t k) { return fmt::format("force_{}", k); }
std::string kinetic_name(size_t k) { return fmt::format("kinetic_{}", k); }

std::vector<PathIntegral> needs_of_work(const std::string& subject) {
  return {{.name = "", .over = "", .subject = subject, .of = PathIntegral::driving}};
}
std::vector<PathIntegral> needs_of_heat(const std::string& subject) {
  return {{.name = "", .over = "", .subject = subject, .of = PathIntegral::force},
          {.name = "", .over = "", .subject = subject, .of = PathIntegral::velocity}};
}

std::vector<double> work_on(const Measured& m, size_t k) {
  const Window& window = m.windows[k];
  std::vector<double> work(window.start.size());
  if (add_counted(m, driving_name(k, true), 1, work)) return work;
  add_counted(m, driving_name(k, false), 1, work);
  const double force = m.facts.variable(k).force;
  for (size_t i = 0; i < work.size(); ++i) work[i] += force * (window.end[i] - window.start[i]);
  return work;
}

std::vector<double> heat_from(const Measured& m, size_t k) {
  const Window& window = m.windows[k];
  const VariableFacts& facts = m.facts.variable(k);
  std::vector<double> heat(window.start.size());
  if (facts.energy) {
    heat = work_on(m, k);
    for (size_t i = 0; i < heat.size(); ++i) heat[i] -= facts.energy(window.end[i]) - facts.energy(window.start[i]);
  } else {
    add_counted(m, force_name(k), 1, heat);
  }
  add_counted(m, kinetic_name(k), -facts.mass, heat);
  return heat;
}

}  // namespace bmsim
