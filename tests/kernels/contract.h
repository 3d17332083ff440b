// What the host believes of the structs that it shares with a kernel, as text that does not compile where the kernel's
// compiler believes otherwise.
#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "compose/parameters.h"
#include "kernels/abi.h"
#include "observe/observable.h"

namespace bmsim::test {

/// Counters of every kind that a kernel with steps can have, or method exact.
inline std::vector<Counter> counters_for(const Model& model, bool exact) {
  PointFacts facts;
  facts.period = 1, facts.mass = model.underdamped() ? 1.0 : 0.0;
  facts.of_state = model.is_system() || model.has_amplitude(), facts.edges = {-0.5, 0, 0.5};
  std::vector<VariableFacts> variables;
  for (const ModelVariable& one : model.variables()) variables.push_back({.mass = one.inertial ? 1.0 : 0.0});
  if (variables.size() > 1) facts.several = std::move(variables);
  std::vector<ObservableRequest> requests = {{"first_passage", {{"to", {1}}}},
                                             {"residence", {{"from", {0}}, {"to", {1}}}},
                                             {"turning_points", {{"threshold", {0.5}}}}};
  requests.emplace_back(exact ? "density" : "lyapunov");
  std::vector<Counter> all;
  for (const ObservableRequest& request : requests)
    for (Counter& counter : make_observable(request)->counters(facts)) all.push_back(std::move(counter));
  return all;
}

/// Counters of a system of which a formula is seen, with the formula's slopes (plan/seen.cc).
inline std::vector<Counter> counters_of_formula(const Model& model, const KernelOptions::Seen& seen) {
  std::vector<Counter> all = counters_for(model, false);
  std::erase_if(all, [](const Counter& one) {
    return one.name != "first_passage" && one.name != "residence" && one.name != "turning_points";
  });
  if (seen.of != KernelOptions::Seen::linear_formula) return all;
  const std::vector<double> slopes(model.variables().size(), 0.5), speeds(2, 0.5);
  all.push_back({.name = "seen_formula",
                 .type = "SeenFormula",
                 .parameters = {{FieldType::number, "per_period", slopes, true},
                                {FieldType::number, "spread", slopes, true},
                                {FieldType::real, "slope", slopes, true},
                                {FieldType::real, "speed", speeds, true},
                                {FieldType::real, "offset", {1}}}});
  return all;
}

inline std::string contract_text(const Model& model, const KernelOptions& options) {
  std::string text =
      "\n#ifdef __CUDACC_RTC__\n#define BM_OFFSETOF(type, member) __INTADDR__(&((type*)0)->member)\n#else\n"
      "#define BM_OFFSETOF(type, member) __builtin_offsetof(type, member)\n#endif\nnamespace bmsim_kernel {\n";
  const auto size = [&](const char* type, size_t bytes) {
    text += fmt::format("static_assert(sizeof({}) == {}, \"size of {}\");\n", type, bytes, type);
  };
  const auto offset = [&](const char* type, const std::string& member, size_t bytes) {
    text += fmt::format("static_assert(BM_OFFSETOF({0}, {1}) == {2}, \"{0}.{1}\");\n", type, member, bytes);
  };
#define BM_SIZE(type) size(#type, sizeof(bmsim_abi::type))
#define BM_OFFSET(type, member) offset(#type, #member, offsetof(bmsim_abi::type, member))
  BM_SIZE(PathValues), BM_OFFSET(PathValues, velocity), BM_OFFSET(PathValues, counted);
  BM_SIZE(Layout), BM_OFFSET(Layout, group_bytes), BM_OFFSET(Layout, parameter_bytes), BM_OFFSET(Layout, scratch_bytes);
  BM_OFFSET(Layout, shared_bytes), BM_OFFSET(Layout, block), BM_OFFSET(Layout, sample_values);
  BM_OFFSET(Layout, path_values);
  BM_SIZE(LaneGroup), BM_OFFSET(LaneGroup, share), BM_OFFSET(LaneGroup, trajectory), BM_OFFSET(LaneGroup, path);
  BM_SIZE(Recorder), BM_OFFSET(Recorder, samples), BM_OFFSET(Recorder, stride);
  BM_SIZE(Launch), BM_OFFSET(Launch, trajectory), BM_OFFSET(Launch, first_block), BM_OFFSET(Launch, blocks);
  BM_OFFSET(Launch, recorder), BM_OFFSET(Launch, path), BM_OFFSET(Launch, sums);
  BM_SIZE(Grid), BM_OFFSET(Grid, parameters), BM_OFFSET(Grid, groups), BM_OFFSET(Grid, threads), BM_OFFSET(Grid, seed);
  BM_SIZE(GridLaunch), BM_OFFSET(GridLaunch, blocks), BM_OFFSET(GridLaunch, more), BM_OFFSET(GridLaunch, diverged);
  BM_OFFSET(GridLaunch, marks), BM_OFFSET(GridLaunch, marks_per_point), BM_OFFSET(GridLaunch, samples);
  BM_OFFSET(GridLaunch, sums), BM_OFFSET(GridLaunch, sums_per_share);
  BM_SIZE(FormulaOperation), BM_OFFSET(FormulaOperation, slot), BM_OFFSET(FormulaOperation, number);
  BM_SIZE(FormulaArgument), BM_OFFSET(FormulaArgument, weight), BM_SIZE(FormulaLaunch);
  BM_OFFSET(FormulaLaunch, inputs), BM_OFFSET(FormulaLaunch, count), BM_OFFSET(FormulaLaunch, value);
#undef BM_SIZE
#undef BM_OFFSET
  for (const auto& [name, at] : ParameterSchema(model, evaluate(model), options).offsets())
    offset("Parameters", name, at);
  return text + "}  // namespace bmsim_kernel\n";
}

}  // namespace bmsim::test
