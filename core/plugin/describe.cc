// The documentation of a plugin, written from its descriptor: as text for a terminal, and as a page of the reference.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "error.h"
#include "plugin/schema.h"

namespace bmsim {
namespace {

using Row = std::vector<std::string>;

std::string list_length(const bm_list& list) { return length_text(list) + (list.least == 0 ? ", or left out" : ""); }

// ---- text ----

/// Rows of equally many cells, the first being the header; the last column is not padded.
std::string text_table(const std::vector<Row>& rows) {
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
  return text_table(rows) + choices;
}

std::string list_table(const bm_plugin& d) {
  if (d.list_count == 0) return "";
  std::vector<Row> rows = {{"list", "symbol", "length", "unit", "meaning"}};
  for (const bm_list& list : std::span(d.lists, d.list_count))
    rows.push_back({list.name, list.symbol, list_length(list), unit_text(list.unit), list.doc});
  return text_table(rows);
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

std::vector<std::string> property_words(const Plugin& plugin) {
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

// ---- page ----

/// Escapes markup, for cells of tables and running text.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("|*_<>\\[]").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}
/// With a capital, as a sentence begins.
std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}
std::string code(std::string_view text) { return fmt::format("`{}`", text); }
std::string unit(const char* text) { return *text ? plain(text) : "1"; }

std::string page_table(const Row& header, const std::vector<Row>& rows) {
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
    choices += fmt::format("{} is one of {}. It is the same at every point of a sweep.\n\n", code(p.name),
                           fmt::join(words, ", "));
  }
  if (!rows.empty()) text += page_table({"parameter", "symbol", "unit", "default", "bounds", "meaning"}, rows);
  text += choices;
  rows.clear();
  for (const bm_list& list : std::span(d.lists, d.list_count))
    rows.push_back({code(list.name), plain(list.symbol), unit(list.unit), list_length(list), plain(list.doc)});
  if (!rows.empty())
    text += "Lists of numbers, the same at every point of a sweep:\n\n" +
            page_table({"list", "symbol", "unit", "length", "meaning"}, rows);
  return text;
}

std::string parametrisations(const bm_plugin& d) {
  if (d.parametrisation_count == 0) return "";
  std::string text =
      "## Parametrisations\n\nA script gives the parameters of one of these sets, and the others follow. The first set "
      "that contains all that is given counts. What is left out of it has its default.\n\n";
  std::vector<Row> rows;
  for (const bm_parametrisation& parametrisation : std::span(d.parametrisations, d.parametrisation_count))
    rows.push_back({code(parametrisation.names), plain(parametrisation.doc)});
  return text + page_table({"given", "the others follow"}, rows);
}

std::string properties(const Plugin& plugin) {
  const bm_plugin& d = *plugin;
  std::vector<std::string> words;
  if (d.kind == BM_POTENTIAL) {
    if (plugin.has(BM_SEVERAL))
      words.emplace_back(
          fmt::format("It is a potential of {} variables of a system, which the field `of` names.", d.variable_count));
    const auto is_choice = [](const bm_parameter& p) { return p.choices != nullptr; };
    if (!plugin.periodic_possible())
      words.emplace_back("It is not periodic.");
    else if (std::ranges::any_of(plugin.parameters(), is_choice))
      words.emplace_back("It is periodic or not, as its words say.");
    else
      words.emplace_back("It is periodic: a position counts modulo the period, and the periods passed are counted.");
    words.emplace_back(
        plugin.has(BM_SMOOTH)
            ? "Its force is continuous: by default Gaussian increments have a law of five points, which is "
              "fast and keeps the weak order 2."
            : "Its force may jump: by default Gaussian increments have a nearly normal law, since with a law "
              "of a few points currents would be wrong.");
    if (plugin.piecewise_linear_possible())
      words.emplace_back("Where V is piecewise linear, the method `exact` may apply, which makes no steps.");
  }
  constexpr std::pair<uint32_t, const char*> flags[] = {
      {BM_SIGMA, "All Gaussian white noises of a model add up to one increment per step, this one included."},
      {BM_INCREMENT, "It is white noise whose increments have a law of their own."},
      {BM_EVENTS, "It has events, which happen at their exact times with every method but `paper`."},
      {BM_EVOLVE, "It is coloured noise. Its value changes over a step by its exact law, however long the step is."},
      {BM_AVERAGE, "It acts in a step by its exact mean over the step, which may be longer than its correlation time."},
      {BM_START, "It starts from its stationary distribution."}};
  if (plugin.has(BM_DRIFT) && plugin.has(BM_EVENTS))
    words.emplace_back("Between its events it is a constant force.");
  else if (plugin.has(BM_DRIFT))
    words.emplace_back(plugin.has(BM_EVOLVE) ? "It is a force that changes continuously." : "It is a force.");
  for (const auto& [flag, text] : flags)
    if (plugin.has(flag)) words.emplace_back(text);
  if (d.kind == BM_DRIVE || plugin.has(BM_MODULATES))
    words.emplace_back(
        "With `modulate = \"potential\"` it multiplies the potential by 1 plus its value, instead of adding a force.");
  else if (d.kind == BM_NOISE)
    words.emplace_back("It cannot modulate the potential.");
  std::string text = "## Properties\n\n";
  for (const std::string& property : words) text += fmt::format("- {}\n", property);
  return text + '\n';
}

/// The sentences on the time scale, with its value at the defaults.
std::string time_scale_text(const Plugin& plugin) {
  if (!plugin->time_scale) return "It has no time scale of its own.";
  const bool is_drive = plugin->kind == BM_DRIVE;
  const char* const use = "The fields `periods` and `spp` of a run count in the shortest time scale of the model.";
  try {
    const Resolved values = resolve(plugin, {}, {}, {}, plugin.full_name());
    return fmt::format("Its time scale is {}{:.6g} with the defaults. {}", is_drive ? "its period, " : "",
                       plugin.time_scale(values.values.data()), use);
  } catch (const Error&) {  // no value without lists
    return fmt::format("{} {}", is_drive ? "Its time scale is its period." : "It has a time scale.", use);
  }
}

}  // namespace

std::string describe(const Plugin& plugin) {
  const bm_plugin& d = *plugin;
  std::string text = fmt::format("{} {}: {}\n\n  {}\n", plugin.full_name(), d.version, d.summary, d.equation);
  text += parameter_table(d) + list_table(d);
  text += parametrisation_list(d);
  text += '\n';
  if (const auto words = property_words(plugin); !words.empty())
    text += fmt::format("  has: {}\n", fmt::join(words, ", "));
  if (*d.reference) text += fmt::format("  reference: {}\n", d.reference);
  return plugin.file().empty() ? text : text + fmt::format("  file: {}\n", plugin.file().string());
}

std::string markdown(const Plugin& plugin) {
  const bm_plugin& d = *plugin;
  std::string text = fmt::format("# {}\n\n{}. In scripts: `bm.{}`. Version {}.\n\n## Equation\n\n```\n{}\n```\n\n",
                                 plain(plugin.full_name()), sentence(plain(d.summary)), plugin.full_name(),
                                 plain(d.version), d.equation);
  text += parameters(d) + parametrisations(d) + properties(plugin);
  text += fmt::format("## Time scale\n\n{}\n\n", time_scale_text(plugin));
  const bool is_file = std::string_view(d.source_file).find('.') != std::string_view::npos;
  text += fmt::format("## Source\n\n{}{}\n", *d.reference ? plain(d.reference) + ". " : "",
                      is_file ? fmt::format("Defined in `{}`.", d.source_file)
                              : "A script defines it: the equation and the parameters above are an example.");
  return text;
}

}  // namespace bmsim
