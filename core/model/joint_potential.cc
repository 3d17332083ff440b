// A potential plugin of several variables, on some variables of a system.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "model/formula_plugin.h"
#include "model/system_plugin.h"
#include "plugin/state_functions.h"

namespace bmsim {
namespace {

/// The descriptor of the plugin, with the lengths of its variables as further constants, and with a function of the
/// whole state after its text; and what the descriptor points to.
struct JointTexts {
  std::vector<std::string> names;
  std::vector<bm_constant> constants;
  std::string source;
  bm_plugin descriptor{};

  JointTexts(const Plugin& plugin, const std::vector<size_t>& variables) : descriptor(*plugin) {
    bm_plugin& d = descriptor;
    constants.assign(d.constants, d.constants + d.constant_count);
    std::string places, forces;
    for (size_t k = 0; k < variables.size(); ++k) {
      names.push_back(fmt::format("length_of_x{}_", k));
      places += fmt::format("{}u[{}] * p.{}", k > 0 ? ", " : "", variables[k], names.back());
      forces += fmt::format("f[{0}] = f[{0}] + own[{1}];\n", variables[k], k);
    }
    for (const std::string& name : names) constants.push_back({name.c_str(), d.value_count++});
    source = fmt::format(
        "{}\ntemplate <class T, int N, int M, class V, class H, class P>\n"
        "BM_FN void forces(const T (&u)[N], const V&, const H*, const P& p, T (&f)[M]) {{\n"
        "const T x[{}] = {{{}}};\nT own[{}];\nforce(x, p, own);\n{}}}\n",
        d.source, variables.size(), places, variables.size(), forces);
    d.constants = constants.data();
    d.constant_count = static_cast<uint32_t>(constants.size());
    d.source = source.c_str();
  }
};

class JointPotential : public Plugin, public StateFunctions {
 public:
  JointPotential(const Plugin& plugin, std::unique_ptr<JointTexts> texts, std::vector<size_t> variables)
      : Plugin(&texts->descriptor, plugin.file()),
        plugin_(plugin),
        texts_(std::move(texts)),
        variables_(std::move(variables)) {
    for (const size_t i : variables_) mask_ |= uint32_t{1} << i;
  }
  const StateFunctions* state_functions() const override { return this; }
  size_t count() const override { return static_cast<size_t>(std::bit_width(mask_)); }
  uint32_t acts_on() const override { return mask_; }
  std::span<const size_t> given_to() const override { return variables_; }
  bool has_text() const override { return true; }
  double constant_force(size_t, const SystemNumbers&, const double*) const override { return 0; }
  bool reads_velocities() const override { return false; }
  bool depends(size_t, size_t number) const override { return (mask_ >> number & 1) != 0; }
  uint32_t reads_variables() const override { return mask_; }
  uint32_t reads_velocities_of() const override { return 0; }
  bool jumps() const override { return !plugin_.has(BM_SMOOTH); }
  std::optional<size_t> not_linear() const override { return variables_.front(); }  // its form is not known
  std::optional<double> period_of(size_t variable, const double* values) const override {
    if (!(mask_ >> variable & 1) || !plugin_.periodic_possible()) return {};
    const double period = plugin_.period(values);
    return period > 0 ? std::optional(period) : std::nullopt;
  }
  int derive(const bm_context& context, double* values) const override {
    std::fill_n(values + plugin_->value_count, variables_.size(), 1);  // place() computes them
    return plugin_.derive(context, values);
  }
  void place(const SystemNumbers& numbers, double* values) const override {
    for (size_t k = 0; k < variables_.size(); ++k) values[plugin_->value_count + k] = numbers.lengths[variables_[k]];
  }
  void add_forces(const double* x, const double*, double, const double* values, const bm_numbers* arrays,
                  double* f) const override {
    std::array<double, most_variables> own{}, forces{};
    for (size_t k = 0; k < variables_.size(); ++k) own[k] = x[variables_[k]];
    plugin_->force_of(own.data(), values, arrays, forces.data());
    for (size_t k = 0; k < variables_.size(); ++k) f[variables_[k]] += forces[k];
  }

 private:
  const Plugin& plugin_;
  std::unique_ptr<JointTexts> texts_;
  std::vector<size_t> variables_;
  uint32_t mask_ = 0;
};

}  // namespace

const Plugin& joint_potential(const Plugin& plugin, const std::vector<size_t>& variables) {
  const std::string key = fmt::format("joint\n{} {}", fmt::ptr(&plugin), fmt::join(variables, " "));
  return only_plugin(key, [&] {
    return std::make_unique<JointPotential>(plugin, std::make_unique<JointTexts>(plugin, variables), variables);
  });
}

}  // namespace bmsim
