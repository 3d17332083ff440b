#include "theory/langevin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "error.h"
#include "model/formula_plugin.h"
#include "model/system_plugin.h"
#include "numbers.h"
#include "plugin/state_functions.h"

namespace bmsim::theory {
namespace {

/// Whether an amplitude depends on variables or velocities.
bool depends_on_state(const Component& amplitude) {
  const StateFunctions& formulas = *amplitude.plugin->state_functions();
  return formulas.reads_variables() != 0 || formulas.reads_velocities_of() != 0;
}

constexpr double linear_rounding = 1e-10;  // error of a linear force, over the sum of its terms' sizes

/// Throws Error unless -V'(x) of a potential of one variable is linear, at many places near and far.
void check_linear(const Langevin& langevin, const Component& potential) {
  const size_t k = langevin.model().index_of(potential);
  const double length = langevin.values().variables[potential.variable].length();
  const double* parameters = langevin.values().values[k].data();
  const std::vector<bm_numbers> arrays = spans_of(langevin.values().arrays(k));
  const bool periodic = period(*potential.plugin, langevin.values().values[k], potential.name) > 0;
  const auto force = [&](double x) {
    const double u = x / length;
    return potential.plugin->force_at(periodic ? u - std::floor(u + 0.5) : u, 0, parameters, arrays.data());
  };
  const double offset = force(0), slope = force(length) - force(0);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(-1, 1);
  for (double reach = 1e-2 * length; reach < 2e6 * length; reach *= 10)
    for (int i = 0; i < 500; ++i) {
      const double x = reach * place(random), f = force(x), size = std::abs(offset) + std::abs(slope * x / length);
      if (!(std::abs(f - offset - slope * x / length) <= linear_rounding * size))
        fail("forces must be linear in the variables, got {}", named(potential));
    }
}

/// Throws Error unless the forces of a potential plugin of several variables are linear, at many places near and far.
void check_linear_joint(const Langevin& langevin, const Component& potential) {
  const size_t k = langevin.model().index_of(potential);
  const StateFunctions& forces = *potential.plugin->state_functions();
  const double* parameters = langevin.values().values[k].data();
  const std::vector<bm_numbers> arrays = spans_of(langevin.values().arrays(k));
  const auto force = [&](const VectorXd& x) {
    VectorXd f = VectorXd::Zero(x.size());
    forces.add_forces(x.data(), nullptr, 0, parameters, arrays.data(), f.data());
    return f;
  };
  const auto size = static_cast<Index>(langevin.variables());
  const VectorXd offset = force(VectorXd::Zero(size));
  MatrixXd slopes(size, size);
  for (Index i = 0; i < size; ++i) slopes.col(i) = force(VectorXd::Unit(size, i)) - offset;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(-1, 1);
  for (double reach = 1e-2; reach < 2e6; reach *= 10)
    for (int trial = 0; trial < 500; ++trial) {
      const VectorXd x = reach * VectorXd::NullaryExpr(size, [&] { return place(random); });
      const VectorXd error = (force(x) - offset - product(slopes, x)).cwiseAbs();
      const VectorXd tolerance =
          linear_rounding * (offset.cwiseAbs() + product(MatrixXd(slopes.cwiseAbs()), VectorXd(x.cwiseAbs())));
      if (!(error.array() <= tolerance.array()).all())
        fail("forces must be linear in the variables, got those of {}", named(potential));
    }
}

void check_linear(const Langevin& langevin) {
  const Model& model = langevin.model();
  for (const Component& component : model.components()) {
    if ((*component.plugin)->kind != BM_POTENTIAL) continue;
    const StateFunctions* formulas = component.plugin->state_functions();
    if (formulas == nullptr) {
      check_linear(langevin, component);
    } else if (component.plugin->has(BM_SEVERAL)) {
      check_linear_joint(langevin, component);
    } else if (const auto i = formulas->not_linear()) {
      const std::string& name = model.variables()[*i].name;
      if (component.name.empty()) fail("forces must be linear in the variables, got equations.{}", name);
      fail("forces must be linear in the variables, got that of {} on {}", named(component), name);
    }
  }
  if (const std::string noise = langevin.multiplied(); !noise.empty())
    fail("amplitudes of noise must be constant, got that of {}", noise);
}

/// Throws Error unless the variables move on a ring or a torus, without inertia and under white noise.
void check_periodic(const Langevin& langevin) {
  const Model& model = langevin.model();
  if (langevin.inertial()) fail("variables must have no inertia, got one that has");
  if (!langevin.coloured().empty()) fail("noise must be Gaussian and white, got {}", langevin.coloured());
  for (size_t i = 0; i < langevin.variables(); ++i) {
    const std::string& name = model.variables()[i].name;
    const double period = langevin.values().variables[i].period;
    if (!langevin.folds_alone(i))
      fail("forces and amplitudes must have a period in {}, got none{}", name,
           period > 0 ? fmt::format(": they change when it is shifted by {}", period)
                      : fmt::format(": give it a period, period = {{ {} = ... }}", name));
  }
}

}  // namespace

Langevin::Langevin(const Model& model, const ModelValues& values) : model_(model), values_(values) {
  velocities_ = state_size(values) - variables();
  for (const Component& component : model.components()) {
    const std::span<const double> parameters = values.values[model.index_of(component)];
    const uint32_t kind = (*component.plugin)->kind;
    if (kind == observed_kind) continue;
    if (kind == wall_kind) fail("the model must have no walls, got those of {}", component.name);
    if (kind == field_kind) fail("the model must have no mean fields, got {}", (*component.plugin)->equation);
    if (kind == event_kind) fail("the model must have no events, got {}", named(component));
    if (kind == BM_POTENTIAL || kind == amplitude_kind) {
      if (component.plugin->depends_on_time())
        fail("{} must not depend on time, got a formula with t",
             component.name.empty() ? "equations"
             : kind == BM_POTENTIAL ? named(component)
                                    : "the amplitude of " + named(model.multiplied_by(component)));
      continue;
    }
    if (const auto D = gaussian_intensity(component, parameters)) {
      whites_.push_back({&component, *D, model.amplitude_of(component)});
    } else if (model.amplitude_of(component) != nullptr) {
      fail("noise must be white to have an amplitude, got {}", named(component));
    } else if (const auto law = coloured_of(component, parameters); law && !component.modulates) {
      coloured_.push_back({&component, *law});
    } else {
      fail("noise must be Gaussian, got {}{}", named(component),
           component.modulates ? " that modulates the potential" : "");
    }
  }
  size_ = static_cast<Index>(variables() + velocities_ + coloured_.size());
}

std::string Langevin::multiplied() const {
  for (const White& white : whites_)
    if (white.amplitude != nullptr && depends_on_state(*white.amplitude)) return named(*white.noise);
  return "";
}

Index Langevin::driven(size_t variable) const { return static_cast<Index>(place_of_force(values_, variable)); }

bool Langevin::folds_alone(size_t variable) const {
  const auto number = static_cast<int>(variable);
  return values_.variables[variable].folds_with == number &&
         std::ranges::count(values_.variables, number, &VariableValues::folds_with) == 1;
}

std::vector<double> Langevin::places(const VectorXd& z) const {
  std::vector<double> x(z.data(), z.data() + variables());
  for (size_t i = 0; i < x.size(); ++i) {
    const double length = values_.variables[i].length();
    if (folds_alone(i)) x[i] -= length * std::floor(x[i] / length + 0.5);
  }
  return x;
}

std::vector<double> Langevin::amplitude(const White& white, const std::vector<double>& x, const VectorXd& z) const {
  std::vector<double> f(2 * variables());
  if (white.amplitude == nullptr)
    f[white.noise->variable] = 1;
  else
    white.amplitude->plugin->state_functions()->add_forces(x.data(), z.data() + variables(), 0,
                                                           values_.values[model_.index_of(*white.amplitude)].data(),
                                                           nullptr, f.data());
  return f;
}

VectorXd Langevin::drift(const VectorXd& z) const {
  const std::vector<double> x = places(z);
  std::vector<double> f(variables());
  for (size_t i = 0; i < f.size(); ++i) f[i] = values_.variables[i].force;
  add_forces(model_, values_, x.data(), z.data() + variables(), 0, f.data());
  for (const White& white : whites_) {
    if (white.amplitude == nullptr) continue;
    const std::vector<double> b = amplitude(white, x, z);
    const double part = model_.part_of_drift(*white.noise);
    for (size_t i = 0; i < f.size(); ++i) f[i] += part * b[f.size() + i];
  }
  VectorXd rate = VectorXd::Zero(size_);
  Index state = static_cast<Index>(variables() + velocities_);
  for (const Filter& filter : coloured_) {
    f[filter.noise->variable] += z(state);
    rate(state) = -z(state) / filter.law.tau;
    ++state;
  }
  for (size_t i = 0; i < f.size(); ++i) {
    const VariableValues& variable = values_.variables[i];
    const double v = z(driven(i));  // if it has inertia
    if (variable.inertial) rate(static_cast<Index>(i)) = v;
    rate(driven(i)) = variable.inertial ? (f[i] - variable.gamma * v) / variable.mass : f[i];
  }
  return rate;
}

MatrixXd Langevin::noise(const VectorXd& z) const {
  const std::vector<double> x = places(z);
  MatrixXd B = MatrixXd::Zero(size_, static_cast<Index>(whites_.size() + coloured_.size()));
  Index column = 0;
  for (const White& white : whites_) {
    const std::vector<double> b = amplitude(white, x, z);
    for (size_t i = 0; i < variables(); ++i)
      B(driven(i), column) = std::sqrt(2 * white.D) * b[i] / values_.variables[i].inertia();
    ++column;
  }
  Index state = static_cast<Index>(variables() + velocities_);
  for (const Filter& filter : coloured_) B(state++, column++) = std::sqrt(2 * filter.law.D) / filter.law.tau;
  return B;
}

Hidden Langevin::hidden() const {
  const double period = values_.only().length();
  const std::vector<double> nowhere(1 + most_fields);
  std::vector<Bounds> forces;
  double least_D = 0;  // of noise without an amplitude
  struct Amplitude {
    double D;
    Bounds b;
  };
  std::vector<Amplitude> amplitudes;
  const auto bounds_of = [&](const Component& component) {
    const double* parameters = values_.values[model_.index_of(component)].data();
    return component.plugin->state_functions() == nullptr
               ? force_bounds(*component.plugin, parameters, 0, 0, {0})
               : function_bounds(*component.plugin, 0, nowhere.data(), nowhere.data(), 0, parameters, {0});
  };
  for (const Component& component : model_.components())
    if ((*component.plugin)->kind == BM_POTENTIAL)
      if (auto bounds = bounds_of(component)) forces.push_back(periodic_bounds(*std::move(bounds), period));
  for (const White& white : whites_) {
    if (white.amplitude == nullptr)
      least_D += white.D;
    else if (auto bounds = bounds_of(*white.amplitude))
      amplitudes.push_back({white.D, periodic_bounds(*std::move(bounds), period)});
  }
  return [forces, amplitudes, least_D](double from, double to) {
    const double width = to - from;
    double D = least_D, energy = 0, slope_low = 0, slope_high = 0;
    for (const auto& [intensity, amplitude] : amplitudes) {
      const formula::Enclosed b = amplitude(from, to);
      if (b.jumps || b.value.is_empty()) return infinity;
      const double smallest = b.value.contains(0) ? 0 : std::min(std::abs(b.value.low), std::abs(b.value.high));
      D += intensity * smallest * smallest;
      const std::array ends = {b.value.low * b.slope.low, b.value.low * b.slope.high, b.value.high * b.slope.low,
                               b.value.high * b.slope.high};
      const auto [low, high] = std::ranges::minmax(ends);
      slope_low += 2 * intensity * low, slope_high += 2 * intensity * high;
    }
    for (const Bounds& force : forces) energy += force(from, to).value.width() * width;
    return (energy + (slope_high - slope_low) * width) / D;
  };
}

// ---- linear motion ----

LinearMotion linear_motion(const Langevin& langevin) {
  check_linear(langevin);
  const Index n = langevin.size();
  constexpr double distance = 1024;  // the longer, the smaller are rounding errors of a linear function's slope
  LinearMotion motion;
  motion.positions = langevin.variables();
  motion.constant = langevin.drift(VectorXd::Zero(n));
  motion.noise = langevin.noise(VectorXd::Zero(n));
  motion.matrix.resize(n, n);
  for (Index i = 0; i < n; ++i) {
    const VectorXd step = VectorXd::Unit(n, i) * distance;
    motion.matrix.col(i) = (langevin.drift(step) - langevin.drift(-step)) / (2 * distance);
  }
  if (!motion.matrix.allFinite() || !motion.constant.allFinite() || !motion.noise.allFinite())
    fail("forces and amplitudes must be finite, got {}", nan);
  return motion;
}

// ---- one and two periodic variables ----

TorusMotion torus_motion(const Langevin& langevin) {
  if (langevin.variables() != 2) fail("the model must have two variables, got {}", langevin.variables());
  check_periodic(langevin);
  TorusMotion motion;
  for (size_t i = 0; i < 2; ++i) motion.length[i] = langevin.values().variables[i].length();
  motion.at = [&langevin](double x, double y) {
    VectorXd z(2);
    z(0) = x, z(1) = y;
    const VectorXd drift = langevin.drift(z);
    const MatrixXd b = langevin.noise(z), D = product(b, MatrixXd(b.transpose())) / 2;
    return TorusMotion::Local{drift(0), drift(1), D(0, 0), D(0, 1), D(1, 1)};
  };
  return motion;
}

DiffusingMotion diffusing_motion(const Langevin& langevin) {
  if (langevin.variables() != 1) fail("the model must have one variable, got {}", langevin.variables());
  check_periodic(langevin);
  DiffusingMotion motion;
  motion.period = langevin.values().only().length();
  motion.drift = [&langevin](double x) { return langevin.drift(VectorXd::Constant(1, x))(0); };
  motion.diffusion = [&langevin](double x) { return langevin.noise(VectorXd::Constant(1, x)).squaredNorm() / 2; };
  if (!langevin.model().is_system()) motion.breaks = landscape_of(langevin.model(), langevin.values()).breaks;
  motion.hidden = langevin.hidden();
  return motion;
}

}  // namespace bmsim::theory
