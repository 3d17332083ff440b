// The documentation of a plugin, written from its descriptor.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plugin/schema.h"

namespace bmsim {
namespace {

using Row = std::vector<std::string>;

/// Rows of equally many cells, the first being the header; the last column is not padded.
std::string table(const std::vector<Row>& rows) {
  std::vector<size_t> widths(rows[0].size());
  for (const Row& row : rows)
    for (size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text = "\n";
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) text += fmt::format("  {:<{}}", row[i], widths[i]);
    text += '\n';
  }
  return text;
}

std::string unit_text(const char* unit) { return *unit ? unit : "1"; }

std::string parameter_table(const bm_plugin& d) {
  if (d.parameter_count + d.list_count == 0) return "\n  no parameters\n";
  if (d.parameter_count == 0) return "";
  std::vector<Row> rows = {{"parameter", "symbol", "default", "bounds", "unit", "meaning"}};
  std::string choices;
  for (const bm_parameter& p : std::span(d.parameters, d.parameter_count)) {
    if (!p.choices) {
      rows.push_back({p.name, p.symbol, fmt::format("{}", p.value), bounds_text(p), unit_text(p.unit), p.doc});
      continue;
    }
    const std::vector<std::string> words = choice_words(p);
    rows.push_back({p.name, p.symbol, words[static_cast<size_t>(p.value)], "a word", unit_text(p.unit), p.doc});
    choices += fmt::format("\n  {} is {}\n", p.name, bounds_text(p));
  }
  return table(rows) + choices;
}

std::string list_table(const bm_plugin& d) {
  if (d.list_count == 0) return "";
  std::vector<Row> rows = {{"list", "symbol", "length", "unit", "meaning"}};
  for (const bm_list& list : std::span(d.lists, d.list_count))
    rows.push_back({list.name, list.symbol, length_text(list) + (list.least == 0 ? ", or left out" : ""),
                    unit_text(list.unit), list.doc});
  return table(rows);
}

std::string parametrisation_list(const bm_plugin& descriptor) {
  const std::span parametrisations(descriptor.parametrisations, descriptor.parametrisation_count);
  if (parametrisations.empty()) return "";
  size_t widest = 0;
  for (const bm_parametrisation& parametrisation : parametrisations)
    widest = std::max(widest, std::string_view(parametrisation.names).size());
  std::string text = "\n  give one of these sets; the first that contains what is given is taken:\n";
  for (const bm_parametrisation& parametrisation : parametrisations)
    text += fmt::format("    {:<{}}  {}\n", parametrisation.names, widest, parametrisation.doc);
  return text;
}

std::vector<std::string> properties(const Plugin& plugin) {
  const bm_plugin& d = *plugin;
  std::vector<std::string> words;
  if (d.kind == BM_POTENTIAL) {
    if (d.flags & BM_SEVERAL) words.push_back(fmt::format("of {} variables", d.variable_count));
    words.emplace_back(plugin.periodic_possible() ? "periodic" : "not periodic");
    words.emplace_back(d.flags & BM_SMOOTH ? "smooth" : "not smooth");
    if (plugin.piecewise_linear_possible()) words.emplace_back("piecewise linear");
  }
  constexpr std::pair<uint32_t, const char*> parts[] = {{BM_DRIFT, "a force between events"},
                                                        {BM_SIGMA, "Gaussian increments"},
                                                        {BM_INCREMENT, "increments with a law of their own"},
                                                        {BM_EVENTS, "events at exact times"},
                                                        {BM_EVOLVE, "an exact evolution of its state"},
                                                        {BM_AVERAGE, "an exact mean over a step"},
                                                        {BM_START, "starts from its stationary law"},
                                                        {BM_MODULATES, "may modulate the potential"}};
  for (const auto& [flag, text] : parts)
    if (plugin.has(flag)) words.emplace_back(text);
  if (d.time_scale) words.emplace_back("a time scale of its own");
  return words;
}

}  // namespace

std::string describe(const Plugin& plugin) {
  const bm_plugin& d = *plugin;
  std::string text = fmt::format("{} {}: {}\n\n  {}\n", plugin.full_name(), d.version, d.summary, d.equation);
  text += parameter_table(d) + list_table(d);
  text += parametrisation_list(d);
  text += '\n';
  if (const auto words = properties(plugin); !words.empty()) text += fmt::format("  has: {}\n", fmt::join(words, ", "));
  if (*d.reference) text += fmt::format("  reference: {}\n", d.reference);
  return plugin.file().empty() ? text : text + fmt::format("  file: {}\n", plugin.file().string());
}

}  // namespace bmsim
