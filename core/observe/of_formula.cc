#include "observe/of_formula.h"

#include <algorithm>
#include <limits>

#include "error.h"
#include "nearest_name.h"
#include "observe/known.h"

namespace bmsim {

namespace {

std::string without_spaces(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "" : std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

void check_name(const ObservableRequest& request, const std::string& name) {
  if (!is_name(name))
    fail("observe.{}: name must be letters, digits and '_', no digit first, got '{}'", request.name, name);
  if (name.starts_with("v_") || name.ends_with("time") || name.ends_with("err"))
    fail("observe.{}: name must not begin with v_ nor end in time or err, as other results do, got '{}'", request.name,
         name);
}

/// An observable of one variable of a system: that of models with one variable, under names that end in the variable's.
class OfVariable : public Observable {
 public:
  /// times: "yes" if it has the array of its times, "own" if it has the array under a name of its own, "no" if not.
  /// formula: "" for a variable. The units of a formula are not known.
  OfVariable(std::unique_ptr<Observable> observable, std::string variable, size_t index, std::string times,
             std::string formula = "")
      : observable_(std::move(observable)),
        variable_(std::move(variable)),
        index_(index),
        times_(std::move(times)),
        formula_(std::move(formula)) {}

  std::string name() const override { return renamed(observable_->name()); }
  size_t variable() const override { return index_; }
  std::vector<std::string> columns() const override {
    std::vector<std::string> names = observable_->columns();
    for (std::string& name : names) name = renamed(name);
    return names;
  }
  ColumnLabel label(const std::string& column) const override {
    ColumnLabel label = observable_->label(original(column));
    label.symbol = symbol_of(label.symbol);
    const std::string meaning = with_variable(label.meaning, variable_);
    label.meaning = meaning == label.meaning ? meaning + " of " + variable_ : meaning;
    if (!formula_.empty() && formula_ != variable_) label.meaning += " = " + formula_;
    label.unit = unit_of(label.unit);
    return label;
  }
  Needs needs() const override {
    Needs needs = observable_->needs();
    // A formula's increments come from those of several variables, which together have no known law but the normal one.
    needs.law = needs.law || (!formula_.empty() && observable_kind(observable_->name()).of == ObservableKind::named);
    return needs;
  }
  std::vector<Counter> counters(const PointFacts& facts) const override {
    return observable_->counters(facts.of(index_));
  }
  std::vector<double> times(const PointFacts& facts) const override { return observable_->times(facts.of(index_)); }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    return named(observable_->arrays(facts.of(index_)), false);
  }
  std::optional<PositionDensity> position_density() const override { return observable_->position_density(); }
  Sampling sampling() const override { return observable_->sampling(); }
  std::vector<Array> probes(const PointFacts& facts) const override {
    return named(observable_->probes(facts.of(index_)), true);
  }
  void measure(const Measured& measured, std::vector<Estimate>& columns,
               std::vector<std::vector<double>>& arrays) const override {
    std::vector<std::vector<double>> values;
    observable_->measure(measured, columns, values);
    const std::vector<Array> shapes = observable_->arrays(measured.facts);
    for (size_t i = 0; i < values.size(); ++i)
      if (keeps(shapes[i].name)) arrays.push_back(std::move(values[i]));
  }
  std::vector<HalvedSum> halved() const override { return observable_->halved(); }
  std::vector<HalvedDensity> halved_densities(const PointFacts& facts) const override {
    std::vector<HalvedDensity> densities = observable_->halved_densities(facts.of(index_));
    for (HalvedDensity& density : densities) density.variable = with_variable(density.variable, variable_);
    return densities;
  }
  std::vector<size_t> pooled_columns() const override { return observable_->pooled_columns(); }
  std::vector<double> pooled_numbers(const Measured& measured) const override {
    return observable_->pooled_numbers(measured);
  }
  std::vector<ColumnEstimate> of_pooled(const Pooled& pooled, const PointFacts& facts) const override {
    return observable_->of_pooled(pooled, facts);
  }
  double fewest_paths() const override { return observable_->fewest_paths(); }
  std::string asks_for_times() const override { return observable_->asks_for_times(); }
  bool of_stationary_state() const override { return observable_->of_stationary_state(); }
  bool of_spread() const override { return observable_->of_spread(); }
  std::string warning(const Findings& found) const override {
    std::vector<PointFacts> own_facts;
    for (const PointFacts& point : found.facts) own_facts.push_back(point.of(index_));
    std::vector<const PointFacts*> facts;
    for (const PointFacts& point : own_facts) facts.push_back(&point);
    std::vector<Array> arrays(found.arrays.begin(), found.arrays.end());
    for (Array& array : arrays) array.name = original(array.name);
    const std::string text = observable_->warning({found.columns, arrays, FactsOfPoints(facts)}),
                      name = observable_->name();
    return text.starts_with(name + ":") ? this->name() + text.substr(name.size()) : text;
  }
  double order(const std::string& name) const override { return observable_->order(original(name)); }

 private:
  /// probes: whether their labels are words, not symbols.
  std::vector<Array> named(std::vector<Array> arrays, bool probes) const {
    std::vector<Array> kept;
    for (Array& array : arrays) {
      if (!keeps(array.name)) continue;
      array.name = array_name(array.name);
      array.label = probes ? with_variable(array.label, variable_) : symbol_of(array.label);
      array.unit = unit_of(array.unit);
      for (Coordinate& coordinate : array.coordinates) {
        if (is_of_variable(coordinate.name))
          coordinate.name = renamed(coordinate.name), coordinate.label = with_variable(coordinate.label, variable_);
        coordinate.unit = unit_of(coordinate.unit);
      }
      kept.push_back(std::move(array));
    }
    return kept;
  }
  bool keeps(const std::string& array) const { return times_ != "no" || !is_times(array); }
  static bool is_of_variable(const std::string& coordinate) {
    return coordinate == "x" || coordinate == "position" || coordinate == "velocity_bin" ||
           coordinate == "displacement";
  }
  static bool is_times(const std::string& array) { return array.ends_with("_time"); }
  std::string array_name(const std::string& name) const {
    return is_times(name) && times_ == "yes" ? name : renamed(name);
  }
  /// "density_err" -> "density_y_err", "paths_x" -> "paths_y", "v_cumulant_1" -> "v_y_cumulant_1".
  std::string renamed(const std::string& name) const {
    std::string out;
    bool replaced = false;
    for (size_t at = 0; at <= name.size();) {
      const size_t end = std::min(name.find('_', at), name.size());
      std::string word = name.substr(at, end - at);
      if (!replaced && (word == "x" || word == "v")) word = (word == "x" ? "" : "v_") + variable_, replaced = true;
      out += (at == 0 ? "" : "_") + word;
      at = end + 1;
    }
    if (replaced) return out;
    const bool error = name.ends_with("_err");
    return (error ? name.substr(0, name.size() - 4) : name) + "_" + variable_ + (error ? "_err" : "");
  }
  std::string original(const std::string& name) const {
    for (const std::string& column : observable_->columns())
      if (renamed(column) == name) return column;
    PointFacts any_run;
    any_run.total = std::numeric_limits<double>::max(), any_run.mass = 1;
    for (const Array& array : observable_->arrays(any_run))
      if (array_name(array.name) == name) return array.name;
    return name;
  }
  /// "x/L" -> "y/L", "x - x(t_0)" -> "y - y(t_0)".
  static std::string with_variable(const std::string& label, const std::string& variable) {
    std::string out;
    for (size_t i = 0; i < label.size(); ++i) {
      const auto is_letter = [&](size_t k) { return k < label.size() && is_word_character(label[k]); };
      const bool alone = !is_letter(i + 1) && (i == 0 || !is_letter(i - 1));
      out += alone && label[i] == 'x' ? variable : alone && label[i] == 'v' ? "v_" + variable : label.substr(i, 1);
    }
    return out;
  }
  std::string unit_of(const std::string& unit) const {
    return formula_.empty() || unit.find("length") == unit.npos ? unit : "";
  }
  /// "C(lag)" -> "C_y(lag)", "S_x(f)" -> "S_y(f)", "S_v(f)" of the variable "v_y" -> "S_v_y(f)".
  std::string symbol_of(const std::string& symbol) const {
    if (with_variable(symbol, "?") != symbol) return with_variable(symbol, variable_);
    if (const size_t at = symbol.find('('); at != symbol.npos && at > 0 && symbol.find(' ') == symbol.npos) {
      const std::string function = symbol.substr(0, at);
      const bool has_variable = function.ends_with("_x") || function.ends_with("_v");
      const std::string name = has_variable ? function.substr(0, at - 2) : function;
      return name + "_" + variable_ + symbol.substr(at);
    }
    if (symbol.find(' ') != symbol.npos || symbol == "t") return symbol + " (" + variable_ + ")";
    return symbol + (symbol.find('_') == symbol.npos ? "_" : ",") + variable_;
  }

  std::unique_ptr<Observable> observable_;
  std::string variable_;
  size_t index_;
  std::string times_;
  std::string formula_;
};

}  // namespace

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text, is_word_character);
}

std::vector<std::string> divided(const std::string& list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : list) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) part = without_spaces(part);
  return parts;
}

std::vector<ObservedName> observed_names(const ObservableRequest& request) {
  const auto name_word = request.words.find("name");
  const std::vector<std::string> names =
      name_word == request.words.end() ? std::vector<std::string>() : divided(name_word->second);
  std::vector<ObservedName> observed;
  size_t formulas = 0;
  for (const std::string& text : divided(request.words.at("of"))) {
    if (is_name(text)) {
      observed.push_back({text, text});
      continue;
    }
    if (formulas == names.size())
      fail("observe.{}: of: a formula must be given a name, as in {{ of = \"{}\", name = \"r\" }}", request.name, text);
    check_name(request, names[formulas]);
    observed.push_back({text, names[formulas++]});
  }
  if (formulas < names.size())
    fail("observe.{}: name: there must be as many as formulas in of, {}, got {}", request.name, formulas, names.size());
  return observed;
}

void note_formulas(const ObservableRequest& request, std::vector<ObservedVariable>& variables,
                   std::span<const std::string> definitions) {
  const std::vector<ObservedName> observed = observed_names(request);
  const ObservableKind& kind = observable_kind(request.name);
  for (const auto& [text, name] : observed) {
    const bool formula = text != name;
    const auto variable = std::ranges::find(variables, name, &ObservedVariable::name);
    if (variable != variables.end()) {
      if (!variable->is_formula() && formula)
        fail("observe.{}: name must not be that of a variable, got '{}'", request.name, name);
      if (variable->is_formula() && variable->formula != text)
        fail("observe.{}: name '{}' must stand for one formula, got {} and {}", request.name, name, variable->formula,
             text);
      continue;
    }
    const bool velocity = kind.of_plain_velocities && observed.size() == 1 &&
                          std::ranges::any_of(variables, [&name = name](const ObservedVariable& other) {
                            return other.inertial && name == "v_" + other.name;
                          });
    const bool defined = std::ranges::count(definitions, name) > 0;
    if (!formula && !velocity && !defined) continue;  // unknown, or a velocity by the observable's own word
    if (!kind.of_formulas) {
      std::vector<std::string_view> names_of_kinds;
      for (const ObservableKind* candidate : observable_kinds())
        if (candidate->of_formulas) names_of_kinds.emplace_back(candidate->name);
      std::ranges::sort(names_of_kinds);
      fail("observe.{}: of must be a variable, got the formula {}; of formulas are {}", request.name, text,
           fmt::join(names_of_kinds, ", "));
    }
    if (defined) check_name(request, name);
    variables.push_back({.name = name, .formula = text, .asked_by = request.name});
  }
}

int sample_index(size_t variable, bool velocity, std::span<const ObservedVariable> variables) {
  size_t positions = 0, velocities = 0, before = 0;
  for (size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].is_formula()) continue;
    ++positions;
    velocities += variables[i].inertial ? 1 : 0;
    before += variables[i].inertial && i < variable ? 1 : 0;
  }
  if (velocity) return static_cast<int>(positions + before);
  return static_cast<int>(variable < positions ? variable : variable + velocities);
}

size_t index_of(const ObservableRequest& request, const std::string& name,
                std::span<const ObservedVariable> variables) {
  std::vector<std::string> known;
  for (size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].name == name) return i;
    known.push_back(variables[i].name);
  }
  fail("observe.{}: of: unknown variable '{}'{}", request.name, name, suggestion(name, known));
}

std::vector<ObservableRequest> of_each_variable(const ObservableRequest& request,
                                                std::vector<ObservedVariable>& variables,
                                                std::span<const std::string> definitions) {
  const auto of_word = request.words.find("of");
  const ObservableKind& kind = observable_kind(request.name);
  if (kind.of == ObservableKind::state) return {request};
  if (variables.empty() && of_word != request.words.end() && !std::ranges::all_of(divided(of_word->second), is_name))
    fail("observe.{}: of: only bm.system, also of one variable, has observables of formulas, got '{}'", request.name,
         of_word->second);
  if (variables.empty()) return {request};
  std::vector<ObservedName> names;
  if (request.words.contains("name") && of_word == request.words.end())
    fail("observe.{}: name is that of a formula, as in {{ of = \"{}^2\", name = \"r\" }}", request.name,
         variables[0].name);
  if (of_word != request.words.end()) {
    names = observed_names(request);
    note_formulas(request, variables, definitions);
    if (kind.of_two != nullptr && names.size() == 2) return {request};
    if (kind.of_two != nullptr && names.size() > 2)
      fail("observe.{}: of: one variable or two, got {}", request.name, names.size());
  } else if (kind.of == ObservableKind::named && std::ranges::count(variables, "", &ObservedVariable::formula) > 1) {
    fail("observe.{}: of must be given, the name of a variable: of = '{}'", request.name, variables[0].name);
  } else {
    for (const ObservedVariable& variable : variables)
      if (!variable.is_formula() && (variable.inertial || kind.of != ObservableKind::velocity))
        names.push_back({variable.name, variable.name});
    if (names.empty()) fail("observe.{}: no variable of the system has inertia", request.name);
  }
  std::vector<ObservableRequest> requests;
  for (const ObservedName& observed : names) {
    std::map<std::string, std::string>& words = requests.emplace_back(request).words;
    words["of"] = observed.text;
    words.erase("name");
    if (observed.is_formula()) words["name"] = observed.name;
    // A request may come from an earlier plan of this run, and have this word.
    if (!words.contains("first")) words["first"] = observed.name == names.front().name ? "yes" : "no";
  }
  return requests;
}

std::unique_ptr<Observable> make_observable(const ObservableRequest& request,
                                            std::span<const ObservedVariable> variables) {
  const ObservableKind& kind = observable_kind(request.name);
  if (variables.empty()) return kind.make(request);
  if (kind.in_system != nullptr) return kind.in_system(request, variables);
  if (kind.of == ObservableKind::state) return kind.make(request);
  if (kind.of == ObservableKind::one_variable)
    fail("observe.{}: is for models of one variable, not for systems", request.name);
  const std::vector<ObservedName> observed = observed_names(request);
  if (kind.of_two != nullptr && observed.size() == 2) return kind.of_two(request, variables);
  const std::string name = observed[0].name;
  const auto formula = std::ranges::find_if(
      variables, [&](const ObservedVariable& variable) { return variable.is_formula() && variable.name == name; });
  ObservableRequest own_request = request;
  own_request.words.erase("of");
  own_request.words.erase("name");
  const auto first_word = own_request.words.extract("first");
  const std::string times = first_word.empty() ? "yes" : first_word.mapped();
  if (formula != variables.end()) {
    if (kind.check_formula != nullptr) kind.check_formula(request, formula->formula);
    if (kind.of == ObservableKind::either) own_request.words["of"] = "position";
    const auto index = static_cast<size_t>(formula - variables.begin());
    return std::make_unique<OfVariable>(kind.make(own_request), name, index, times, formula->formula);
  }
  const bool velocity = kind.of == ObservableKind::either && name.starts_with("v_");
  const size_t index = index_of(request, velocity ? name.substr(2) : name, variables);
  if ((velocity || kind.of == ObservableKind::velocity) && !variables[index].inertial)
    fail("observe.{}: of: {} has no inertia, and so no velocity of its own", request.name, variables[index].name);
  if (kind.of == ObservableKind::either) own_request.words["of"] = velocity ? "velocity" : "position";
  return std::make_unique<OfVariable>(kind.make(own_request), name, index, times);
}

void name_times(std::vector<ObservableRequest>& requests) {
  for (size_t i = 0; i < requests.size(); ++i) {
    const auto first = requests[i].words.find("first");
    if (first == requests[i].words.end() || first->second != "yes") continue;
    for (size_t k = 0; k < i; ++k) {
      if (requests[k].name != requests[i].name || !requests[k].words.contains("first")) continue;
      const auto other_words = [](const ObservableRequest& other) {
        std::map<std::string, std::string> words = other.words;
        for (const char* word : {"first", "of", "name"}) words.erase(word);
        return words;
      };
      const bool same =
          requests[k].numbers == requests[i].numbers && other_words(requests[k]) == other_words(requests[i]);
      first->second = same ? "no" : "own";
      if (same) break;
    }
  }
}

}  // namespace bmsim
