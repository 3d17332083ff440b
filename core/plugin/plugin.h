// The definition of a component: its descriptor and its host functions.
#pragma once
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bmsim/plugin_abi.h"

namespace bmsim {

class StateFunctions;

// Kinds of plugins that are made at run time only.
constexpr uint32_t amplitude_kind = 1000;  ///< the amplitude of a noise
constexpr uint32_t observed_kind = 1001;   ///< functions of the state that observables follow at every step
constexpr uint32_t event_kind = 1002;      ///< an event of the script, which sets variables
constexpr uint32_t wall_kind = 1003;       ///< walls of a variable, which reflect it
constexpr uint32_t field_kind = 1004;      ///< the formulas of mean fields, averages over all paths of a share

std::string_view kind_name(uint32_t kind);  ///< "noise", "potential", "drive"
uint32_t kind_of(std::string_view name);    ///< the reverse; throws Error for an unknown name

/// The side of a jump or a kink of V on which a place lies. V changes its branch only where `argument` passes 0 or, if
/// `whole`, an integer.
struct Side {
  double argument;
  bool whole;
};

/// A plugin. Its host functions are those of the descriptor. A plugin that is made at run time, not loaded from a
/// library, overrides them. values: by slot, as resolve (schema.h) makes them. arrays: in the order of the descriptor.
/// The descriptor lives as long as the plugin.
class Plugin {
 public:
  Plugin(const bm_plugin* descriptor, std::filesystem::path file) : descriptor_(descriptor), file_(std::move(file)) {}
  virtual ~Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  const bm_plugin& operator*() const { return *descriptor_; }
  const bm_plugin* operator->() const { return descriptor_; }
  /// Empty for a plugin that is made at run time.
  const std::filesystem::path& file() const { return file_; }
  /// "noise.poisson"
  std::string full_name() const;
  bool has(uint32_t flag) const { return (descriptor_->flags & flag) != 0; }
  /// The plugin's extension of this name; null if it has none.
  const void* extension(const char* name) const;

  std::span<const bm_parameter> parameters() const { return {descriptor_->parameters, descriptor_->parameter_count}; }
  /// The names of each parametrisation; and all of them, in the order of the parameters.
  struct Linked {
    std::vector<std::vector<std::string>> parametrisations;
    std::vector<std::string> names;
  };
  const Linked& linked() const;

  /// Computes the other values from the given ones. Returns 0; or not 0, with the reason in context.message.
  virtual int derive(const bm_context& context, double* values) const;
  /// Array number `index`, after derive. Throws Error if the plugin reports different lengths.
  virtual std::vector<double> array(const bm_context& context, const double* values, uint32_t index) const;
  /// INFINITY for none. Unchecked: see time_scale in schema.h.
  virtual double time_scale(const double* values) const;
  /// Drives: the shortest time in which the force changes, as far as the plugin says one; else INFINITY.
  double shortest_change(const double* values) const;
  /// Frequencies, in turns per unit time, of all phases that the component reads; a drive has one.
  virtual std::vector<double> frequencies(const double* values) const;
  /// For each phase, whether it is an angle that is reduced to one turn; otherwise it is a time.
  virtual std::vector<bool> phases_wrap() const;
  /// For each phase, the number of the mean field that it is; -1 for those of time.
  virtual std::vector<int> phases_of_fields() const { return std::vector<int>(phases_wrap().size(), -1); }
  bool depends_on_time() const;  ///< whether some phase is one of time
  /// Whether the device text takes a pointer to its phases, not one phase by value.
  virtual bool reads_phases() const { return false; }

  /// Potentials: the period, 0 for none. Unchecked: see period in schema.h.
  virtual double period(const double* values) const;
  /// Whether the potential is periodic, or piecewise linear, at some values.
  virtual bool periodic_possible() const { return descriptor_->period != nullptr; }
  virtual bool piecewise_linear_possible() const { return descriptor_->segments != nullptr; }
  /// Pieces that tile one period; none if the potential is not piecewise linear. Throws Error as array does.
  virtual std::vector<bm_segment> segments(const double* values, const bm_numbers* arrays) const;

  /// Equations, potentials of several variables, amplitudes; null for others.
  virtual const StateFunctions* state_functions() const { return nullptr; }

  /// Number of operations in the text of a plugin made of formulas; 0 for others.
  virtual size_t operations() const { return 0; }

  /// Noises: mean as a force, and intensity D. NAN: does not exist; nothing: not declared.
  virtual std::optional<double> mean(const double* values) const;
  virtual std::optional<double> intensity(const double* values) const;

  /// Potentials: V and -V' at u = x / period, or x without one. Drives: the force at a phase in turns. NAN if none.
  virtual double energy(double u, const double* values, const bm_numbers* arrays) const;
  virtual double force(double u, const double* values, const bm_numbers* arrays) const;
  /// Potentials: V and -V' at the time t, on which most do not depend; and some times at which V differs.
  virtual double energy_at(double u, double t, const double* values, const bm_numbers* arrays) const;
  virtual double force_at(double u, double t, const double* values, const bm_numbers* arrays) const;
  virtual std::vector<double> times(const double*) const { return {0}; }
  /// The sides of u for all jumps and kinks of V, always the same number; none if they are not known.
  virtual std::vector<Side> sides(double /*u*/, double /*t*/, const double* /*values*/) const { return {}; }

 private:
  const bm_plugin* descriptor_;
  std::filesystem::path file_;
  mutable std::once_flag linked_once_;
  mutable Linked linked_;
};

}  // namespace bmsim
