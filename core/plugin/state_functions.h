// Functions of several variables: the equations of a system, a potential of several variables, a noise's amplitude.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bmsim/plugin_abi.h"

namespace bmsim {

struct Side;

/// Numbers of the model that formulas depend on.
struct SystemNumbers {
  std::span<const double> lengths, masses;  ///< by variable
  double intensity = 0;                     ///< of the noise that an amplitude multiplies
  /// Parameters of the system. Formulas use some of them.
  std::span<const std::pair<std::string, double>> shared{};
};

/// What an event does. Its functions are the trigger (a rate, an interval, or the formula at whose zeros it comes) and
/// what each target is set to. Those of the targets also depend on random numbers, which follow the variables: u[n] ...
struct EventShape {
  /// A rate that only parameters change; any other rate; a fixed interval; zeros of a formula.
  enum Trigger { constant_rate, rate, interval, zero } trigger = rate;
  bool up = true, down = true;                            ///< directions in which a zero is crossed
  uint32_t reads_variables = 0, reads_velocities_of = 0;  ///< masks: what the trigger depends on
  bool reads_fields = false;  ///< whether the trigger, or what it sets, contains a mean field
  uint32_t jumps_with = 0;    ///< mask of the variables with which it may jump, by themselves or their velocities
  struct Target {
    size_t variable;
    bool velocity;
  };
  std::vector<Target> targets{};
  std::string numbers{};  ///< for each random number its law: 'U' uniform on (0, 1), 'N' normal, 'E' exponential
};
/// Which walls a variable has, and whether paths end at them, or are held there. The functions of the plugin are the
/// places of the lower and the upper wall and, if they hold paths, the adsorption length.
struct WallShape {
  bool low, high, absorbs = false, holds = false;
};
constexpr size_t most_numbers = 16, most_targets = 30;  // of an event

/// What a plugin of several variables has beside a descriptor. Its device text has
///   template <class T, int N, class V, class H, class P>
///   BM_FN void forces(const T (&u)[N], const V& v, const H* phase, const P& p, T (&f)[N])
/// which sets f[i] for the variables of acts_on(), or, for potentials, adds to f[i] all but the constant forces; u[i]
/// is x / length of variable i, v has the velocities.
class StateFunctions {
 public:
  virtual ~StateFunctions() = default;
  virtual size_t count() const = 0;  ///< number of functions
  /// For observed functions: number of functions of t alone within them. The device text has these apart, as
  ///   template <class T, int N, class P> BM_FN void timed(const T* phase, const P& p, T (&w)[N])
  /// and forces() takes their values as const W* w, after phase. A function add_forces() of the same arguments adds to
  /// f[i].
  virtual size_t timed() const { return 0; }
  /// Whether forces() reads phases; if not, only timed() does.
  virtual bool forces_read_phases() const { return true; }
  /// Mask of the functions that are not 0: the variables on which there is a force. An amplitude has a function b[i]
  /// for each of n variables; that of white noise also, at n + i, the force 2 D sum over j of b[j] db[i]/dz[j], where
  /// z[j] is what the noise changes, x[j] or v[j]: the difference between anti-Ito and Ito.
  virtual uint32_t acts_on() const = 0;
  /// Whether the device text does anything. It does not if all functions are constant forces.
  virtual bool has_text() const = 0;
  /// For a potential: the terms of the force on a variable that never change.
  virtual double constant_force(size_t variable, const SystemNumbers& numbers, const double* values) const = 0;
  virtual bool reads_velocities() const = 0;
  /// Whether a function depends, by its form, on a number of the state: variables, then velocities (with inertia).
  virtual bool depends(size_t function, size_t number) const = 0;
  /// Whether values at some states do not tell if functions stay the same under shifts by lengths (formula/system.h).
  virtual bool hides_shift(uint32_t, std::span<const double>) const { return false; }
  /// For an amplitude: mask of the variables that it depends on, and mask of those whose velocities it depends on.
  virtual uint32_t reads_variables() const = 0;
  virtual uint32_t reads_velocities_of() const = 0;
  /// Whether functions may jump where the state changes, as far as their form shows.
  virtual bool jumps() const = 0;
  /// For an amplitude: whether b[variable] may jump where a number of the state changes, counted as in depends(); and
  /// the sides of a state for all jumps and kinks of the amplitude, always the same number.
  virtual bool jumps_with(size_t, size_t) const { return false; }
  virtual std::vector<Side> sides(const double* x, const double* v, double t, const double* values) const;
  /// The first function that is not, as far as its form shows, of first degree in variables and velocities together,
  /// with coefficients that are free of them; nothing if all are.
  virtual std::optional<size_t> not_linear() const = 0;
  /// The period that the script, or a potential, gives a variable. NaN or <= 0 if the formula's value is no period.
  virtual std::optional<double> period_of(size_t variable, const double* values) const = 0;
  /// What an event does; null for other plugins. The device text has, beside `forces`, which sets f[0] to the trigger,
  /// a function `set` of the same arguments, which sets f[k] to the value of target k.
  virtual const EventShape* event() const { return nullptr; }
  /// Which walls there are; null for other plugins.
  virtual const WallShape* wall() const { return nullptr; }
  /// The variables that a plugin of several variables is given, by index, in its own order; none for a formula.
  virtual std::span<const size_t> given_to() const { return {}; }
  /// Computes the values that depend on the numbers of the model.
  virtual void place(const SystemNumbers& numbers, double* values) const = 0;
  /// Adds the forces at positions x and time t. v: velocities of variables with inertia, then mean fields, if any.
  virtual void add_forces(const double* x, const double* v, double t, const double* values, const bm_numbers* arrays,
                          double* f) const = 0;
};

}  // namespace bmsim
