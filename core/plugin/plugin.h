// A component's definition: what its descriptor says, and its host functions.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bmsim/plugin_abi.h"

namespace bmsim {

std::string_view kind_name(uint32_t kind);  ///< "noise", "potential", "drive"
uint32_t kind_of(std::string_view name);    ///< the reverse; throws Error for an unknown name

/// On which side of a jump or a kink of V a place is: V changes its form only where `argument` passes 0 or, with
/// `whole`, a whole number.
struct Side {
  double argument;
  bool whole;
};

/// A plugin. The host functions are those of the descriptor unless they are overridden, as they are by a plugin that is
/// made at run time and not loaded from a library. values: by slot, as resolve (schema.h) makes them; arrays: in the
/// order of the descriptor. The descriptor lives as long as the plugin.
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
  /// What the plugin says of itself under this name beyond its descriptor; null for nothing.
  const void* extension(const char* name) const;

  /// Fills in what follows from the values given. Returns 0; or not 0, with the reason in context.message.
  virtual int derive(const bm_context& context, double* values) const;
  /// Array number `index`, after derive. Throws Error if the plugin contradicts itself on its length.
  virtual std::vector<double> array(const bm_context& context, const double* values, uint32_t index) const;
  /// INFINITY for none. Unchecked: see time_scale in schema.h.
  virtual double time_scale(const double* values) const;
  /// Turns per unit time of every phase that a component reads which depends on time: of a drive one.
  virtual std::vector<double> frequencies(const double* values) const;
  /// Of each of them, whether it is an angle that is reduced to one turn; if not, it is a time.
  virtual std::vector<bool> phases_wrap() const;
  /// Whether the device text takes a pointer to its phases, not one phase by value.
  virtual bool reads_phases() const { return false; }

  /// Potentials: the period, 0 for none. Unchecked: see period in schema.h.
  virtual double period(const double* values) const;
  /// Whether there are values with which the potential is periodic, or piecewise linear.
  virtual bool periodic_possible() const { return descriptor_->period != nullptr; }
  virtual bool piecewise_linear_possible() const { return descriptor_->segments != nullptr; }
  /// Pieces that tile one period; none where the potential is not piecewise linear. Throws Error as array does.
  virtual std::vector<bm_segment> segments(const double* values, const bm_numbers* arrays) const;

  /// Noises: mean as a force, and intensity D. NAN: does not exist; nothing: the plugin does not say.
  virtual std::optional<double> mean(const double* values) const;
  virtual std::optional<double> intensity(const double* values) const;

  /// Potentials: V and -V' at u = x / period (u = x where there is none). Drives: the force at a phase in turns. NAN
  /// where the kind has none.
  virtual double energy(double u, const double* values, const bm_numbers* arrays) const;
  virtual double force(double u, const double* values, const bm_numbers* arrays) const;
  /// Potentials: the same at the time t, of which most know nothing; and some times at which V differs.
  virtual double energy_at(double u, double t, const double* values, const bm_numbers* arrays) const;
  virtual double force_at(double u, double t, const double* values, const bm_numbers* arrays) const;
  virtual std::vector<double> times(const double* values) const;
  /// Of all that the form of V at u depends on, always as many; none where that is not known.
  virtual std::vector<Side> sides(double u, double t, const double* values) const;

 private:
  const bm_plugin* descriptor_;
  std::filesystem::path file_;
};

}  // namespace bmsim
