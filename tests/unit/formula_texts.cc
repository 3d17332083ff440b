// Writes a header with the device texts of all formula_cases.h, and what they should give, for test_formula_kernel.cc.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "error.h"
#include "formula/compiled.h"
#include "formula_cases.h"

using namespace bmsim::formula;
using namespace bmsim::test;

namespace {

constexpr int points = 64;

void write_function(const char* name, const std::string& body) {
  fmt::print("  template <class T, class P> static T {}(T u, const T* phase, const P& p) {{\n{}}}\n", name, body);
}

struct Columns {
  std::vector<double> u, energy, force;
  std::vector<std::vector<double>> phase;
};

Columns columns(const FormulaCase& one, const Compiled& compiled, std::mt19937_64& random) {
  const Lookup lookup = [&](std::string_view name) { return one.values.find(name)->second; };
  Columns result;
  const std::vector<double> turns_per_time = frequencies(compiled.phases, lookup);
  result.phase.resize(compiled.phases.size());
  for (int i = 0; i < points; ++i) {
    // Exact in single precision, so that both precisions are asked the same.
    const double u = static_cast<float>(std::uniform_real_distribution(one.from, one.to)(random));
    const double t = static_cast<float>(std::uniform_real_distribution(0.0, 3.0)(random));
    const double x = compiled.periodic ? u * lookup("L") : u;
    result.u.push_back(u);
    result.energy.push_back(energy_at(compiled, x, t, lookup));
    result.force.push_back(force_at(compiled, x, t, lookup));
    for (size_t j = 0; j < turns_per_time.size(); ++j) {
      const double turns = turns_per_time[j] * t;
      result.phase[j].push_back(compiled.phases[j].reduced ? turns - std::rint(turns) : turns);
    }
  }
  return result;
}

void write_case(int number, const FormulaCase& one, std::mt19937_64& random) {
  const std::vector<std::string> names = names_of(one);
  const Compiled compiled = one.drive ? compile_drive(one.text, names) : compile_potential(one.text, names);
  const Lookup lookup = [&](std::string_view name) { return one.values.find(name)->second; };
  const std::vector<double> k = constant_values(compiled, lookup, one.text);
  fmt::print("struct Formula{} {{\n  static constexpr const char* text = \"{}\";\n  struct P {{", number, one.text);
  for (size_t i = 0; i < k.size(); ++i) fmt::print(" real k{} = (real){};", i, k[i]);
  fmt::print(" }};\n");
  write_function("force", compiled.force_text);
  write_function("energy", one.drive ? compiled.force_text : compiled.energy_text);
  const Columns c = columns(one, compiled, random);
  fmt::print("  static constexpr double u[] = {{{}}};\n", fmt::join(c.u, ", "));
  fmt::print("  static constexpr double wanted_energy[] = {{{}}};\n", fmt::join(c.energy, ", "));
  fmt::print("  static constexpr double wanted_force[] = {{{}}};\n", fmt::join(c.force, ", "));
  fmt::print("  static constexpr int phases = {};\n", c.phase.size());
  fmt::print("  static constexpr double phase[][{}] = {{", points);
  for (const std::vector<double>& phase : c.phase) fmt::print("{{{}}}, ", fmt::join(phase, ", "));
  fmt::print("{{}}}};\n}};\n");
}

}  // namespace

int main() try {
  std::mt19937_64 random(11);
  int number = 0;
  fmt::print("constexpr int points = {};\n", points);
  for (const FormulaCase& one : formula_cases()) write_case(number++, one, random);
  fmt::print("#define FORMULAS(EACH)");
  for (int i = 0; i < number; ++i) fmt::print(" EACH(Formula{})", i);
  fmt::print("\n");
} catch (const bmsim::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
