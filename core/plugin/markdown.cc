// The reference page of a plugin, written from its descriptor.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "error.h"
#include "plugin/schema.h"

namespace bmsim {
namespace {

using Row = std::vector<std::string>;

/// Escapes markup, for cells of tables and running text.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("|*_<>\\[]").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}
std::string code(std::string_view text) { return fmt::format("`{}`", text); }
std::string unit(const char* text) { return *text ? plain(text) : "1"; }

std::string table(const Row& header, const std::vector<Row>& rows) {
  std::string text = fmt::format("| {} |\n|", fmt::join(header, " | "));
  for (size_t i = 0; i < header.size(); ++i) text += "---|";
  text += '\n';
  for (const Row& row : rows) text += fmt::format("| {} |\n", fmt::join(row, " | "));
  return text + '\n';
}

std::string default_of(const bm_parameter& p) {
  return p.choices ? code(choice_words(p)[static_cast<size_t>(p.value)]) : fmt::format("{:.6g}", p.value);
}

std::string parameters(const bm_plugin& d) {
  if (d.parameter_count + d.list_count == 0) return "## Parameters\n\nThere are none.\n\n";
  std::string text = "## Parameters\n\n";
  std::vector<Row> rows;
  std::string choices;
  for (const bm_parameter& p : std::span(d.parameters, d.parameter_count)) {
    rows.push_back({code(p.name), plain(p.symbol), unit(p.unit), default_of(p),
                    p.choices ? "a word" : plain(bounds_text(p)), plain(p.doc)});
    if (!p.choices) continue;
    Row words = choice_words(p);
    for (std::string& word : words) word = code(word);
    choices += fmt::format("{} is one of {}. A word is the same at every point of a run.\n\n", code(p.name),
                           fmt::join(words, ", "));
  }
  if (!rows.empty()) text += table({"parameter", "symbol", "unit", "default", "bounds", "meaning"}, rows);
  text += choices;
  rows.clear();
  for (const bm_list& list : std::span(d.lists, d.list_count))
    rows.push_back({code(list.name), plain(list.symbol), unit(list.unit),
                    length_text(list) + (list.least == 0 ? ", or left out" : ""), plain(list.doc)});
  if (!rows.empty()) text += "Lists of numbers:\n\n" + table({"list", "symbol", "unit", "length", "meaning"}, rows);
  return text;
}

std::string parametrisations(const bm_plugin& d) {
  if (d.parametrisation_count == 0) return "";
  std::string text =
      "## Parametrisations\n\nGive one of these sets; the first that contains what is given is taken.\n\n";
  std::vector<Row> rows;
  for (const bm_parametrisation& one : std::span(d.parametrisations, d.parametrisation_count))
    rows.push_back({code(one.names), plain(one.doc)});
  return text + table({"given", "the others follow"}, rows);
}

std::string properties(const Plugin& plugin) {
  const bm_plugin& d = *plugin;
  std::vector<std::string> words;
  if (d.kind == BM_POTENTIAL) {
    const auto is_choice = [](const bm_parameter& p) { return p.choices != nullptr; };
    if (!plugin.periodic_possible())
      words.emplace_back("It is not periodic: positions are not folded.");
    else if (std::any_of(d.parameters, d.parameters + d.parameter_count, is_choice))
      words.emplace_back("It is periodic, as far as its words leave it so: positions are then folded into one period.");
    else
      words.emplace_back("It is periodic: positions are folded into one period.");
    words.emplace_back(plugin.has(BM_SMOOTH)
                           ? "V' is continuous: moment-matched Gaussian increments are exact to second order."
                           : "V' may jump: Gaussian increments are drawn from a nearly normal law.");
    if (plugin.piecewise_linear_possible()) words.emplace_back("It can be piecewise linear.");
  }
  constexpr std::pair<uint32_t, const char*> flags[] = {
      {BM_DRIFT, "It is a force that is constant between events, or changes with its state."},
      {BM_SIGMA,
       "It is white and Gaussian, or has such a part: all such parts of a model add up to one increment a step."},
      {BM_INCREMENT, "Its increments over a step have a law of their own."},
      {BM_EVENTS, "It has events, which happen at their exact times with every integrator but `paper`."},
      {BM_EVOLVE, "It is coloured: its state changes by an exact law, whatever the step."},
      {BM_AVERAGE,
       "Its force in a step is its exact mean over it, so that a step may be longer than its correlations."},
      {BM_START, "It starts from its stationary law."}};
  for (const auto& [flag, text] : flags)
    if (plugin.has(flag)) words.emplace_back(text);
  if (d.kind == BM_DRIVE || plugin.has(BM_MODULATES))
    words.emplace_back("It may modulate the potential (`modulate = \"potential\"`) instead of adding a force.");
  else if (d.kind == BM_NOISE)
    words.emplace_back("It cannot modulate the potential.");
  std::string text = "## Properties\n\n";
  for (const std::string& one : words) text += fmt::format("- {}\n", one);
  return text + '\n';
}

/// The sentence on the time scale, with its value at the defaults.
std::string time_scale_text(const Plugin& plugin) {
  if (!plugin->time_scale) return "It has no time scale of its own.";
  const char* const what = plugin->kind == BM_DRIVE ? "Its period is its time scale" : "It has a time scale of its own";
  const char* const use = "`periods` and `spp` count in the smallest one of a model.";
  try {
    const Resolved values = resolve(plugin, {}, {}, {}, plugin.full_name());
    return fmt::format("{}, {:.6g} with the defaults; {}", what, plugin.time_scale(values.values.data()), use);
  } catch (const Error&) {  // no value without lists
    return fmt::format("{}; {}", what, use);
  }
}

}  // namespace

std::string markdown(const Plugin& plugin) {
  const bm_plugin& d = *plugin;
  std::string text =
      fmt::format("# {}\n\n{}. In scripts: `bm.{}`. Version {}.\n\n## Equation\n\n```\n{}\n```\n\n",
                  plain(plugin.full_name()), plain(d.summary), plugin.full_name(), plain(d.version), d.equation);
  text += parameters(d) + parametrisations(d) + properties(plugin);
  text += fmt::format("## Time scale\n\n{}\n\n", time_scale_text(plugin));
  text += fmt::format("## Source\n\n{}{}\n", *d.reference ? plain(d.reference) + ". " : "",
                      fmt::format("Defined in `{}`.", d.source_file));
  return text;
}

}  // namespace bmsim
