#include "model/formula_plugin.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>

#include "error.h"
#include "formula/compiled.h"
#include "formula/program.h"
#include "plugin/registry.h"

namespace bmsim {
namespace {

using formula::Compiled;

constexpr std::string_view refused_by = "formula: ";  // left out of messages: the caller begins them

std::string device_source(uint32_t kind, const Compiled& compiled) {
  const bool drive = kind == BM_DRIVE, varies = !drive && !compiled.phases.empty();
  return fmt::format("template <class T, {}class P> BM_FN T force({}, const P& p) {{\n{}\n}}\n",
                     varies ? "class H, " : "",
                     drive    ? "const T* phase"
                     : varies ? "T u, const H* phase"
                              : "T u",
                     compiled.force_text);
}

std::unique_ptr<FormulaTexts> make_texts(uint32_t kind, std::string_view text, std::span<const std::string> names,
                                         const Compiled& compiled) {
  auto texts = std::make_unique<FormulaTexts>();
  texts->id = "formula";
  texts->summary = kind == BM_DRIVE ? "any drive: a formula in t that the script gives"
                                    : "any potential: a formula in x, or in x and t, that the script gives";
  texts->equation = fmt::format("{} = {}",
                                kind == BM_DRIVE          ? "F(t)"
                                : compiled.phases.empty() ? "V(x)"
                                                          : "V(x, t)",
                                text);
  texts->source = device_source(kind, compiled);
  texts->complete(kind, names, compiled.constants.size(), compiled.smooth);
  return texts;
}

class FormulaPlugin : public Plugin {
 public:
  FormulaPlugin(std::unique_ptr<FormulaTexts> texts, Compiled compiled)
      : Plugin(&texts->descriptor, {}),
        texts_(std::move(texts)),
        compiled_(std::move(compiled)),
        formula_(compiled_.formula, texts_->names()),
        force_(compiled_.force, texts_->names()) {
    const auto length = std::ranges::find(texts_->names(), "L");
    length_ = static_cast<size_t>(length - texts_->names().begin());
    for (const auto& [argument, whole] : switches(compiled_.formula))
      switches_.push_back({formula::Program(argument, texts_->names()), whole});
  }

  int derive(const bm_context& context, double* values) const override {
    try {
      const std::vector<double> constants = constant_values(compiled_, lookup(values), "formula");
      std::copy(constants.begin(), constants.end(), values + texts_->names().size());
      return 0;
    } catch (const Error& error) {
      std::string reason = error.what();
      if (reason.starts_with(refused_by)) reason.erase(0, refused_by.size());
      std::snprintf(context.message, context.capacity, "%s", reason.c_str());
      return 1;
    }
  }
  double time_scale(const double* values) const override { return shortest_period(compiled_.phases, lookup(values)); }
  std::vector<double> frequencies(const double* values) const override {
    return formula::frequencies(compiled_.phases, lookup(values));
  }
  std::vector<bool> phases_wrap() const override {
    std::vector<bool> wrap;
    for (const formula::Phase& phase : compiled_.phases) wrap.push_back(phase.reduced);
    return wrap;
  }
  bool reads_phases() const override { return true; }
  size_t operations() const override { return compiled_.operations; }
  double period(const double* values) const override { return compiled_.periodic ? values[length_] : 0; }
  bool periodic_possible() const override { return compiled_.periodic; }
  double energy(double u, const double* values, const bm_numbers* arrays) const override {
    return energy_at(u, 0, values, arrays);
  }
  /// For a drive, u is the time in units of its time scale.
  double force(double u, const double* values, const bm_numbers* arrays) const override {
    if ((**this).kind == BM_DRIVE) return force_(0, u * time_scale(values), values);
    return force_at(u, 0, values, arrays);
  }
  double energy_at(double u, double t, const double* values, const bm_numbers*) const override {
    return formula_(place(u, values), t, values);
  }
  double force_at(double u, double t, const double* values, const bm_numbers*) const override {
    return force_(place(u, values), t, values);
  }
  std::vector<double> times(const double* values) const override {
    if (compiled_.phases.empty()) return {0};
    const double period = time_scale(values), unit = std::isfinite(period) ? period : 10;
    return {0, 0.137 * unit, 0.31 * unit, 0.59 * unit, 0.83 * unit};
  }
  std::vector<Side> sides(double u, double t, const double* values) const override {
    std::vector<Side> sides;
    for (const auto& [argument, whole] : switches_) sides.push_back({argument(place(u, values), t, values), whole});
    return sides;
  }

  formula::Enclosure force_bounds(const double* values, double u, double t, std::vector<size_t> varying) const {
    return {force_, inputs(values, place(u, values), t), std::move(varying)};
  }
  std::vector<formula::Enclosure> side_bounds(const double* values, double t) const {
    std::vector<formula::Enclosure> bounds;
    for (const auto& [argument, whole] : switches_)
      bounds.emplace_back(argument, inputs(values, 0, t), std::vector<size_t>{0});
    return bounds;
  }

 private:
  std::vector<double> inputs(const double* values, double x, double t) const {
    std::vector<double> numbers = {x, t};
    numbers.insert(numbers.end(), values, values + texts_->names().size());
    return numbers;
  }
  struct Switch {
    formula::Program argument;
    bool whole;
  };
  /// The position x of u; as on the device, in the period around 0 if the formula is folded.
  double place(double u, const double* values) const {
    if (!compiled_.periodic) return u;
    return (compiled_.folded ? u - std::rint(u) : u) * values[length_];
  }
  formula::Lookup lookup(const double* values) const {
    return [this, values](std::string_view name) {
      for (size_t i = 0; i < texts_->names().size(); ++i)
        if (texts_->names()[i] == name) return values[i];
      return std::numeric_limits<double>::quiet_NaN();
    };
  }

  std::unique_ptr<FormulaTexts> texts_;
  Compiled compiled_;
  formula::Program formula_, force_;
  std::vector<Switch> switches_;
  size_t length_ = 0;  // the slot of L
};

}  // namespace

void FormulaTexts::complete(uint32_t kind, std::span<const std::string> names, size_t constants, bool smooth,
                            bool of_system) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  names_.assign(names.begin(), names.end());
  for (size_t i = 0; i < constants; ++i) constant_names_.push_back(fmt::format("k{}", i));
  uint32_t slot = 0;
  for (const std::string& name : names_) {
    const bool length = kind == BM_POTENTIAL && name == "L" && !of_system;
    parameters_.push_back({name.c_str(), name.c_str(), length ? "length" : "",
                           length ? "period" : "parameter of the formula", 1, length ? 0 : -infinity, infinity,
                           length ? uint32_t{BM_LOWER_OPEN} : 0, slot++, nullptr});
  }
  for (const std::string& name : constant_names_) constants_.push_back({name.c_str(), slot++});
  bm_plugin& d = descriptor;
  d.magic = BM_PLUGIN_MAGIC;
  d.abi_major = BM_ABI_MAJOR;
  d.size = sizeof d;
  d.kind = kind;
  d.value_count = slot;
  d.flags = kind == BM_POTENTIAL && smooth ? uint32_t{BM_SMOOTH} : 0;
  d.id = id.c_str();
  d.version = "1.0";
  d.summary = summary.c_str();
  d.equation = equation.c_str();
  d.reference = "";
  d.parameters = parameters_.data();
  d.parameter_count = static_cast<uint32_t>(parameters_.size());
  d.constants = constants_.data();
  d.constant_count = static_cast<uint32_t>(constants_.size());
  d.source = source.c_str();
  d.source_file = "formula";
}

const Plugin& only_plugin(const std::string& key, const std::function<std::unique_ptr<Plugin>()>& make) {
  static std::mutex mutex;
  static std::map<std::string, const Plugin*> plugins;
  const std::lock_guard lock(mutex);
  const Plugin*& plugin = plugins[key];
  if (plugin == nullptr) plugin = &Registry::instance().adopt(make());
  return *plugin;
}

const Plugin& formula_plugin(uint32_t kind, std::string_view text, std::span<const std::string> names) {
  std::string key = fmt::format("{}\n{}", kind, text);
  for (const std::string& name : names) key += "\n" + name;
  return only_plugin(key, [&] {
    if (kind == BM_NOISE)
      fail("noise.formula: a noise cannot be given by a formula; write a plugin: bmsim plugin new noise NAME");
    Compiled compiled =
        kind == BM_DRIVE ? formula::compile_drive(text, names) : formula::compile_potential(text, names);
    auto texts = make_texts(kind, text, names, compiled);
    return std::make_unique<FormulaPlugin>(std::move(texts), std::move(compiled));
  });
}

std::optional<formula::Enclosure> force_bounds(const Plugin& plugin, const double* values, double u, double t,
                                               std::vector<size_t> varying) {
  const auto* formula = dynamic_cast<const FormulaPlugin*>(&plugin);
  if (formula == nullptr) return {};
  return formula->force_bounds(values, u, t, std::move(varying));
}

std::vector<formula::Enclosure> side_bounds(const Plugin& plugin, const double* values, double t) {
  const auto* formula = dynamic_cast<const FormulaPlugin*>(&plugin);
  return formula == nullptr ? std::vector<formula::Enclosure>() : formula->side_bounds(values, t);
}

}  // namespace bmsim
