#include "formula/system.h"

#include <algorithm>
#include <tuple>

#include "error.h"
#include "formula/compiled.h"
#include "formula/functions.h"
#include "formula/parse.h"
#include "formula/waves.h"

namespace bmsim::formula {
namespace {

// Limits of a formula after its definitions are inserted, each of which may double it.
constexpr double most_nodes = 20'000;
constexpr size_t deepest = 1000;

std::string place_name(size_t i) { return fmt::format("u:{}", i); }
std::string speed_name(size_t k) { return fmt::format("v:{}", k); }
std::string field_name(size_t i) { return fmt::format("f:{}", i); }

/// Whether e has a function with jumps or kinks of anything that is not constant.
bool rough(const Expression& e) {
  if (e->kind == Kind::call && find_function(e->name)->rough && !is_constant(e)) return true;
  return std::ranges::any_of(e->items, [](const Item& item) { return rough(item.expression); });
}

/// Whether e depends on variables, velocities or mean fields.
bool of_state(const Expression& e) {
  if (e->kind == Kind::name) return e->name.starts_with("u:") || e->name.starts_with("v:") || e->name.starts_with("f:");
  return std::ranges::any_of(e->items, [](const Item& item) { return of_state(item.expression); });
}

/// Takes functions of t alone out of formulas: "x*cos(omega*t)" becomes u:0*w:0.
class Timed {
 public:
  std::vector<Expression> functions{};

  Expression without(const Expression& e) {
    // waves and marked sums know phases, reduced to a turn
    if (!depends(e, "t") || ((is_wave(e) || is_marked(e)) && of_state(e))) return e;
    if (!of_state(e)) return leaf(e);
    if (e->kind != Kind::product && e->kind != Kind::sum)
      return rebuilt(e, [this](const Expression& inner) { return without(inner); });
    std::vector<Item> apart, rest;
    for (const Item& item : e->items) {
      if (depends(item.expression, "t") && !of_state(item.expression))
        apart.push_back(item);
      else
        rest.push_back({without(item.expression), item.weight});
    }
    const bool is_product = e->kind == Kind::product;
    if (!apart.empty() && is_product)  // together with the constant factors
      for (size_t i = rest.size(); i-- > 0;)
        if (is_constant(rest[i].expression)) apart.push_back(rest[i]), rest.erase(rest.begin() + static_cast<long>(i));
    if (!apart.empty()) rest.push_back({leaf(is_product ? product(e->number, apart) : sum(0, apart))});
    return is_product ? product(apart.empty() ? e->number : 1, rest) : sum(e->number, rest);
  }

 private:
  Expression leaf(const Expression& e) { return Expression(fmt::format("w:{}", index_in(functions, e))); }
};

/// What a formula makes of names that are shifted: nothing, or nothing that the shift changes; waves alone; terms of
/// first degree and waves; floor() of such terms, which beside terms are waves, as in x - floor(x); or anything else.
enum class Made { nothing, waves, terms, steps, other };

class Shift {
 public:
  Shift(std::span<const std::string> names, std::span<const double> amounts) : names_(names), amounts_(amounts) {}
  Made of(const Expression& e) const {
    if (e->kind == Kind::name) return std::ranges::count(names_, e->name) > 0 ? Made::terms : Made::nothing;
    Made most = Made::nothing, beside = Made::nothing,
         last = Made::nothing;  // beside: of all but terms of first degree
    size_t reading = 0;
    bool once = true;
    std::vector<Item> terms;
    for (const Item& item : e->items) {
      last = of(item.expression);
      most = std::max(most, last);
      if (last == Made::terms)
        terms.push_back(item);
      else
        beside = std::max(beside, last);
      if (last == Made::nothing) continue;
      ++reading;
      once = once && item.weight == 1;
    }
    if ((most != Made::terms && most != Made::steps) || e->kind == Kind::group) return most;
    if (e->kind == Kind::sum && most == Made::steps) return terms.empty() ? most : Made::waves;
    if (e->kind == Kind::sum) return moves(terms) ? most : beside;
    if (e->kind == Kind::product) return reading == 1 && once ? most : Made::other;
    if (e->kind != Kind::call || most == Made::steps) return Made::other;
    if (e->name == "floor") return Made::steps;
    return is_wave(e) || (e->name == "mod" && last == Made::nothing) ? Made::waves
                                                                     : Made::other;  // mod(t, x) has no period
  }

 private:
  /// Whether the shift changes the sum of these terms, whatever the values of other names.
  bool moves(const std::vector<Item>& terms) const {
    double size = 0;
    const auto value = [&](bool shifted) {
      double sum = 0;
      for (const Item& item : terms) {
        const double term = item.weight * evaluate(item.expression, [&](std::string_view name) {
                              const auto found = std::ranges::find(names_, name);
                              const double place = some_number(name);
                              return shifted && found != names_.end()
                                         ? place + amounts_[static_cast<size_t>(found - names_.begin())]
                                         : place;
                            });
        sum += term, size += std::abs(term);
      }
      return sum;
    };
    const double change = std::abs(value(true) - value(false));
    return !(change <= 1e-12 * size);
  }
  /// A number between 1 and 2, always the same for a name.
  static double some_number(std::string_view name) {
    uint32_t mixed = 2166136261U;
    for (const char letter : name) mixed = (mixed ^ static_cast<unsigned char>(letter)) * 16777619U;
    return 1 + mixed / 4294967296.0;
  }
  std::span<const std::string> names_;
  std::span<const double> amounts_;
};

}  // namespace

bool jumps(const Expression& e, std::span<const std::string> names) {
  std::span<const Item> deciding = e->items;
  if (e->kind == Kind::call && e->name == "select") deciding = deciding.first(2);  // between the two others
  const auto decides = [&](const std::string& name) {
    return std::ranges::any_of(deciding, [&](const Item& item) { return depends(item.expression, name); });
  };
  if (e->kind == Kind::call && find_function(e->name)->jumps && std::ranges::any_of(names, decides)) return true;
  return std::ranges::any_of(e->items, [&](const Item& item) { return jumps(item.expression, names); });
}

std::string length_name(size_t i) { return fmt::format("L:{}", i); }
std::string mass_name(size_t i) { return fmt::format("m:{}", i); }

SystemParser::SystemParser(const SystemNames& names, std::string_view subject) : names_(names), subject_(subject) {
  for (const auto& [what, count, most] : {std::tuple("parameters", names.parameters.size(), most_parameters),
                                          std::tuple("parameters", names.shared.size(), most_parameters),
                                          std::tuple("definitions", names.definitions.size(), most_definitions)})
    if (count > most) fail("{}: there must be at most {} {}, got {}", subject, most, what, count);
  for (const SystemVariable& variable : names.variables) {
    words_.push_back(variable.name);
    if (!variable.velocity.empty()) words_.push_back(variable.velocity);
  }
  for (const auto& [name, formula] : names.definitions) words_.push_back(name);
  for (const auto* list : {&names.fields, &names.parameters, &names.shared})
    for (const std::string& name : *list) words_.push_back(name);
  check_names(words_, subject);
  for (const std::string& name : names.full)
    if (!std::ranges::count(words_, name)) words_.push_back(name);
  words_.emplace_back("t");
  for (const std::string& name : names.parameters) used_[name] = false;
}

Expression SystemParser::define(const std::string& name, std::vector<std::string>& path) {
  if (const auto known = defined_.find(name); known != defined_.end()) return known->second;
  if (std::ranges::count(path, name))
    fail("{}: define.{} must not contain itself, got {} -> {}", subject_, name, fmt::join(path, " -> "), name);
  path.push_back(name);
  const std::string subject = fmt::format("{}: define.{}", subject_, name);
  Expression e = formula::parse(names_.definitions.at(name), words_, {}, {}, subject);
  note_used(e);
  for (const auto& [other, formula] : names_.definitions)
    if (depends(e, other)) insert(e, other, define(other, path), subject);
  path.pop_back();
  return defined_.emplace(name, e).first->second;
}

Expression SystemParser::parse(std::string_view formula, std::string_view subject) {
  Expression e = formula::parse(formula, words_, {}, {}, subject);
  for (const auto& [name, text] : names_.definitions) {
    if (!depends(e, name)) continue;
    std::vector<std::string> path;
    insert(e, name, define(name, path), subject);
  }
  note_used(e);
  return e;
}

void SystemParser::insert(Expression& e, const std::string& name, const Expression& meaning, std::string_view subject) {
  e = substitute(e, name, meaning);
  if (e->size > most_nodes || e->depth > deepest)
    fail("{}: with {} inserted it has {:.0f} numbers, names and operations, nested {} deep; at most {:.0f}, {} deep",
         subject, name, e->size, e->depth, most_nodes, deepest);
}

void SystemParser::note_used(const Expression& e) {
  for (auto& [name, used] : used_) used = used || depends(e, name);
}

Expression SystemParser::parse_constant(std::string_view formula, std::string_view subject) {
  std::vector<std::string> words = names_.parameters;
  words.insert(words.end(), names_.shared.begin(), names_.shared.end());
  words.insert(words.end(), names_.full.begin(), names_.full.end());
  const Expression e = formula::parse(formula, words, {}, {}, subject);
  note_used(e);
  return e;
}

void SystemParser::check_all_used() const {
  for (const auto& [name, used] : used_)
    if (!used) fail("{}: parameter '{}' must occur in the formula", subject_, name);
}

CompiledSystem compile_system(std::vector<Expression> functions, const SystemNames& names, FunctionsAre what,
                              size_t later) {
  const std::vector<SystemVariable>& variables = names.variables;
  const bool forces = what == FunctionsAre::forces;
  CompiledSystem compiled;
  std::vector<Expression> inner = functions;
  std::vector<std::string> state;
  size_t speed = 0;
  for (size_t i = 0; i < variables.size(); ++i) {
    const auto& [name, velocity, unit] = variables[i];
    const Expression length = unit ? *unit : Expression(length_name(i));
    for (Expression& e : inner) {
      if (depends(e, name)) compiled.reads_variables |= uint32_t{1} << i;
      e = substitute(e, name, length * Expression(place_name(i)));
    }
    state.push_back(place_name(i));
    if (velocity.empty()) continue;
    for (Expression& e : inner) {
      if (depends(e, velocity)) compiled.reads_velocities |= uint32_t{1} << i;
      e = substitute(e, velocity, Expression(speed_name(speed)));
    }
    state.push_back(speed_name(speed++));
  }
  for (size_t i = 0; i < names.fields.size(); ++i) {
    for (Expression& e : inner) e = substitute(e, names.fields[i], Expression(field_name(i)));
    state.push_back(field_name(i));
  }
  if (forces) compiled.offsets.resize(inner.size());
  for (Expression& e : inner) e = with_turns_marked(e);
  Timed timed;
  if (what == FunctionsAre::observed)
    for (Expression& e : inner) e = timed.without(e);
  Shared shared;
  for (const auto* expressions : {&inner, &timed.functions})
    for (const Expression& e : *expressions) collect_phases(e, shared.phases);
  std::vector<Assignment> list, later_list, of_time;
  for (size_t i = 0; i < timed.functions.size(); ++i) of_time.push_back({fmt::format("w[{}]", i), timed.functions[i]});
  compiled.timed = of_time.size();
  compiled.timed_text = device_statements(of_time, shared);
  for (size_t i = 0; i < inner.size(); ++i) {
    compiled.smooth = compiled.smooth && !rough(inner[i]);
    compiled.jumps = compiled.jumps || jumps(inner[i], state);
    if (is_number(inner[i], 0)) continue;
    compiled.not_zero |= uint64_t{1} << i;
    if (forces) compiled.offsets[i] = constant_part(inner[i]);
    if (forces && is_constant(inner[i])) continue;
    compiled.in_text |= uint64_t{1} << i;
    if (i < later)
      list.push_back({fmt::format("f[{}]", i), inner[i], forces ? Assignment::add_varying : Assignment::set});
    else
      later_list.push_back({fmt::format("f[{}]", i - later), inner[i]});
  }
  compiled.text = device_statements(list, shared);
  compiled.reads_phases = compiled.text.find("phase[") != std::string::npos;
  if (what == FunctionsAre::observed) {
    for (Assignment& assignment : list) assignment.how = Assignment::add;
    compiled.sums_text = device_statements(list, shared);
  }
  if (!later_list.empty()) compiled.later_text = device_statements(later_list, shared);
  compiled.functions = std::move(functions);
  compiled.constants = std::move(shared.constants);
  compiled.phases = std::move(shared.phases);
  compiled.operations = shared.operations;
  return compiled;
}

bool hides_shift(const Expression& e, std::span<const std::string> names, std::span<const double> amounts) {
  return Shift(names, amounts).of(e) >= Made::steps;
}

int degree(const Expression& e, std::span<const std::string> names) {
  if (e->kind == Kind::name) return std::ranges::count(names, e->name) > 0 ? 1 : 0;
  int highest = 0, total = 0;
  bool plain = true;  // all powers are 1
  for (const Item& item : e->items) {
    const int inner = degree(item.expression, names);
    highest = std::max(highest, inner);
    total += inner;
    plain = plain && (inner == 0 || item.weight == 1);
  }
  if (highest == 0 || e->kind == Kind::sum) return highest;
  return e->kind == Kind::product && plain && total == 1 ? 1 : 2;
}

}  // namespace bmsim::formula
