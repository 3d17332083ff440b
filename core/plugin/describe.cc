// The documentation of a plugin, written from its descriptor.
#include <fmt/format.h>

#include <algorithm>

#include "plugin/schema.h"

namespace bmsim {
namespace {

struct Row {
  std::string name, symbol, value, bounds, unit, doc;
};

std::vector<Row> parameter_rows(const bm_plugin& descriptor) {
  std::vector<Row> rows = {{"parameter", "symbol", "default", "bounds", "unit", "meaning"}};
  for (const bm_parameter& p : std::span(descriptor.parameters, descriptor.parameter_count))
    rows.push_back({p.name, p.symbol, fmt::format("{}", p.value), bounds_text(p), *p.unit ? p.unit : "1", p.doc});
  return rows;
}

size_t width(const std::vector<Row>& rows, std::string Row::*column) {
  size_t widest = 0;
  for (const Row& row : rows) widest = std::max(widest, (row.*column).size());
  return widest;
}

std::string parameter_table(const bm_plugin& descriptor) {
  if (descriptor.parameter_count == 0) return "\n  no parameters\n";
  const std::vector<Row> rows = parameter_rows(descriptor);
  std::string text = "\n";
  for (const Row& row : rows) {
    text += fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", row.name, width(rows, &Row::name), row.symbol,
                        width(rows, &Row::symbol), row.value, width(rows, &Row::value), row.bounds,
                        width(rows, &Row::bounds), row.unit, width(rows, &Row::unit), row.doc);
  }
  return text;
}

std::string parametrisation_list(const bm_plugin& descriptor) {
  const std::span all(descriptor.parametrisations, descriptor.parametrisation_count);
  if (all.empty()) return "";
  size_t widest = 0;
  for (const bm_parametrisation& one : all) widest = std::max(widest, std::string_view(one.names).size());
  std::string text = "\n  give one of these sets; the first that contains what is given is taken:\n";
  for (const bm_parametrisation& one : all) text += fmt::format("    {:<{}}  {}\n", one.names, widest, one.doc);
  return text;
}

std::vector<std::string> properties(const bm_plugin& d) {
  std::vector<std::string> words;
  if (d.kind == BM_POTENTIAL) {
    words.emplace_back(d.period ? "periodic" : "not periodic");
    words.emplace_back(d.flags & BM_SMOOTH ? "smooth" : "not smooth");
    if (d.segments) words.emplace_back("piecewise linear");
  }
  if (d.flags & BM_DRIFT) words.emplace_back("a force between events");
  if (d.flags & BM_SIGMA) words.emplace_back("Gaussian increments");
  if (d.flags & BM_EVENTS) words.emplace_back("events at exact times");
  if (d.flags & BM_START) words.emplace_back("starts from its stationary law");
  if (d.time_scale) words.emplace_back("a time scale of its own");
  return words;
}

}  // namespace

std::string describe(const Plugin& plugin) {
  const bm_plugin& d = *plugin;
  std::string text = fmt::format("{} {}: {}\n\n  {}\n", plugin.full_name(), d.version, d.summary, d.equation);
  text += parameter_table(d);
  text += parametrisation_list(d);
  text += '\n';
  if (const auto words = properties(d); !words.empty()) text += fmt::format("  has: {}\n", fmt::join(words, ", "));
  if (*d.reference) text += fmt::format("  reference: {}\n", d.reference);
  return text + fmt::format("  file: {}\n", plugin.file().string());
}

}  // namespace bmsim
