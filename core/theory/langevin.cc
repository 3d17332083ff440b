#include "theory/langevin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "error.h"
#include "model/formula_plugin.h"
#include "model/system_plugin.h"
#include "plugin/state_functions.h"

namespace bmsim::theory {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

bool depends_on_time(const Component& component) { return component.plugin->depends_on_time(); }

/// What an amplitude or a force of a model depends on.
bool depends_on_state(const Component& amplitude) {
  const StateFunctions& formulas = *amplitude.plugin->state_functions();
  return formulas.reads_variables() != 0 || formulas.reads_velocities_of() != 0;
}

}  // namespace

Langevin::Langevin(const Model& model, const ModelValues& values) : model_(model), values_(values) {
  for (const VariableValues& one : values.variables) velocities_ += one.inertial ? 1 : 0;
  for (const Component& one : model.components()) {
    const std::vector<double>& own = values.values[model.index_of(one)];
    const uint32_t kind = (*one.plugin)->kind;
    if (kind == observed_kind) continue;
    if (kind == wall_kind) fail("the model must have no walls, got those of {}", one.name);
    if (kind == field_kind) fail("the model must have no mean fields, got {}", (*one.plugin)->equation);
    if (kind == event_kind) fail("the model must have no events, got {}", named(one));
    if ((kind == BM_POTENTIAL || kind == amplitude_kind) && depends_on_time(one))
      fail("{} must not depend on time, got a formula with t",
           one.name.empty()       ? "equations"
           : kind == BM_POTENTIAL ? named(one)
                                  : "the amplitude of " + named(model.multiplied_by(one)));
    if (kind == BM_POTENTIAL || kind == amplitude_kind) continue;
    if (const auto D = gaussian_intensity(one, own)) {
      whites_.push_back({&one, *D, model.amplitude_of(one)});
    } else if (model.amplitude_of(one) != nullptr) {
      fail("noise must be white to have an amplitude, got {}", named(one));
    } else if (const auto law = coloured_of(one, own); law && !one.modulates) {
      coloured_.push_back({one.variable, *law});
      coloured_names_.push_back(named(one));
    } else {
      fail("noise must be Gaussian, got {}{}", named(one), one.modulates ? " that modulates the potential" : "");
    }
  }
  size_ = static_cast<Index>(variables() + velocities_ + coloured_.size());
}

std::string Langevin::multiplied() const {
  for (const White& one : whites_)
    if (one.amplitude != nullptr && depends_on_state(*one.amplitude)) return named(*one.noise);
  return "";
}

Index Langevin::velocity(size_t variable) const {
  size_t before = 0;
  for (size_t i = 0; i < variable; ++i) before += values_.variables[i].inertial ? 1 : 0;
  return static_cast<Index>(variables() + before);
}

bool Langevin::folds_alone(size_t variable) const {
  const auto with = [&](const VariableValues& one) { return one.folds_with == static_cast<int>(variable); };
  return with(values_.variables[variable]) && std::ranges::count_if(values_.variables, with) == 1;
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
  for (const White& one : whites_) {
    if (one.amplitude == nullptr) continue;
    const std::vector<double> b = amplitude(one, x, z);
    const double part = model_.part_of_drift(*one.noise);
    for (size_t i = 0; i < f.size(); ++i) f[i] += part * b[f.size() + i];
  }
  VectorXd rate = VectorXd::Zero(size_);
  Index state = static_cast<Index>(variables() + velocities_);
  for (const Filter& one : coloured_) {
    f[one.variable] += z(state);
    rate(state) = -z(state) / one.law.tau;
    ++state;
  }
  for (size_t i = 0; i < f.size(); ++i) {
    const VariableValues& one = values_.variables[i];
    const Index at = one.inertial ? velocity(i) : static_cast<Index>(i);
    if (one.inertial) rate(static_cast<Index>(i)) = z(at);
    rate(at) = one.inertial ? (f[i] - one.gamma * z(at)) / one.mass : f[i];
  }
  return rate;
}

MatrixXd Langevin::noise(const VectorXd& z) const {
  const std::vector<double> x = places(z);
  MatrixXd all = MatrixXd::Zero(size_, static_cast<Index>(whites_.size() + coloured_.size()));
  Index column = 0;
  for (const White& one : whites_) {
    const std::vector<double> b = amplitude(one, x, z);
    for (size_t i = 0; i < variables(); ++i) {
      const VariableValues& variable = values_.variables[i];
      const Index at = variable.inertial ? velocity(i) : static_cast<Index>(i);
      all(at, column) = std::sqrt(2 * one.D) * b[i] / (variable.inertial ? variable.mass : 1);
    }
    ++column;
  }
  Index state = static_cast<Index>(variables() + velocities_);
  for (const Filter& one : coloured_) all(state++, column++) = std::sqrt(2 * one.law.D) / one.law.tau;
  return all;
}

Hidden Langevin::hidden() const {
  const double period = values_.only().length();
  const std::vector<double> nowhere(1 + most_fields);
  std::vector<Bounds> forces;
  double least_D = 0;  // of noise without an amplitude that is a formula
  struct Amplitude {
    double D;
    Bounds b;
  };
  std::vector<Amplitude> amplitudes;
  const auto bounds_of = [&](const Component& one) {
    const double* own = values_.values[model_.index_of(one)].data();
    return one.plugin->state_functions() == nullptr
               ? force_bounds(*one.plugin, own, 0, 0, {0})
               : function_bounds(*one.plugin, 0, nowhere.data(), nowhere.data(), 0, own, {0});
  };
  for (const Component& one : model_.components())
    if ((*one.plugin)->kind == BM_POTENTIAL)
      if (auto bounds = bounds_of(one)) forces.push_back(periodic_bounds(*std::move(bounds), period));
  for (const White& one : whites_) {
    auto bounds = one.amplitude != nullptr ? bounds_of(*one.amplitude) : std::nullopt;
    if (bounds)
      amplitudes.push_back({one.D, periodic_bounds(*std::move(bounds), period)});
    else if (one.amplitude == nullptr)
      least_D += one.D;
  }
  return [forces, amplitudes, least_D](double from, double to) {
    const double width = to - from;
    double D = least_D, energy = 0, slope_low = 0, slope_high = 0;
    for (const auto& [intensity, amplitude] : amplitudes) {
      const formula::Enclosed b = amplitude(from, to);
      if (b.jumps || b.value.is_empty()) return std::numeric_limits<double>::infinity();
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

namespace {

constexpr double rounding = 1e-10;  // of a linear force, by what is added up in it

/// Throws Error unless -V'(x) of a potential of one variable is linear, at many places of all sizes.
void check_linear(const Langevin& langevin, const Component& potential) {
  const size_t k = langevin.model().index_of(potential);
  const double length = langevin.values().variables[potential.variable].length();
  const double* own = langevin.values().values[k].data();
  const std::vector<bm_numbers> arrays = spans_of(langevin.values().arrays[k]);
  const bool periodic = period(*potential.plugin, langevin.values().values[k], potential.name) > 0;
  const auto force = [&](double x) {
    const double u = x / length;
    return potential.plugin->force_at(periodic ? u - std::floor(u + 0.5) : u, 0, own, arrays.data());
  };
  const double offset = force(0), slope = force(length) - force(0);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(-1, 1);
  for (double reach = 1e-2 * length; reach < 2e6 * length; reach *= 10)
    for (int i = 0; i < 500; ++i) {
      const double x = reach * place(random), f = force(x), size = std::abs(offset) + std::abs(slope * x / length);
      if (!(std::abs(f - offset - slope * x / length) <= rounding * size))
        fail("forces must be linear in the variables, got {}", named(potential));
    }
}

/// The same for a potential plugin of several variables.
void check_linear_joint(const Langevin& langevin, const Component& potential) {
  const size_t k = langevin.model().index_of(potential), n = langevin.variables();
  const StateFunctions& forces = *potential.plugin->state_functions();
  const double* own = langevin.values().values[k].data();
  const std::vector<bm_numbers> arrays = spans_of(langevin.values().arrays[k]);
  const auto force = [&](const VectorXd& x) {
    VectorXd f = VectorXd::Zero(x.size());
    forces.add_forces(x.data(), nullptr, 0, own, arrays.data(), f.data());
    return f;
  };
  const auto size = static_cast<Index>(n);
  const VectorXd offset = force(VectorXd::Zero(size));
  MatrixXd slopes(size, size);
  for (Index i = 0; i < size; ++i) slopes.col(i) = force(VectorXd::Unit(size, i)) - offset;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(-1, 1);
  for (double reach = 1e-2; reach < 2e6; reach *= 10)
    for (int trial = 0; trial < 500; ++trial) {
      const VectorXd x = reach * VectorXd::NullaryExpr(size, [&] { return place(random); });
      const VectorXd off = (force(x) - offset - slopes * x).cwiseAbs();
      const VectorXd room = rounding * (offset.cwiseAbs() + slopes.cwiseAbs() * x.cwiseAbs());
      if (!(off.array() <= room.array()).all())
        fail("forces must be linear in the variables, got those of {}", named(potential));
    }
}

void check_linear(const Langevin& langevin) {
  const Model& model = langevin.model();
  for (const Component& one : model.components()) {
    if ((*one.plugin)->kind != BM_POTENTIAL) continue;
    const StateFunctions* formulas = one.plugin->state_functions();
    if (formulas == nullptr) {
      check_linear(langevin, one);
    } else if (one.plugin->has(BM_SEVERAL)) {
      check_linear_joint(langevin, one);
    } else if (const auto i = formulas->not_linear()) {
      const std::string& name = model.variables()[*i].name;
      if (one.name.empty()) fail("forces must be linear in the variables, got equations.{}", name);
      fail("forces must be linear in the variables, got that of {} on {}", named(one), name);
    }
  }
  if (const std::string noise = langevin.multiplied(); !noise.empty())
    fail("amplitudes of noise must be constant, got that of {}", noise);
}

}  // namespace

LinearMotion linear_motion(const Langevin& langevin) {
  check_linear(langevin);
  const Index n = langevin.size();
  // Of the differences of a linear function long ones have the fewest rounding errors.
  constexpr double distance = 1024;
  LinearMotion made;
  made.positions = langevin.variables();
  made.constant = langevin.drift(VectorXd::Zero(n));
  made.noise = langevin.noise(VectorXd::Zero(n));
  made.matrix.resize(n, n);
  for (Index i = 0; i < n; ++i) {
    const VectorXd step = VectorXd::Unit(n, i) * distance;
    made.matrix.col(i) = (langevin.drift(step) - langevin.drift(-step)) / (2 * distance);
  }
  if (!made.matrix.allFinite() || !made.constant.allFinite() || !made.noise.allFinite())
    fail("forces and amplitudes must be finite, got {}", std::nan(""));
  return made;
}

// ---- one and two periodic variables ----

namespace {

/// What is asked of variables on a ring or a torus.
void check_periodic(const Langevin& langevin) {
  const Model& model = langevin.model();
  if (langevin.inertial()) fail("variables must have no inertia, got one that has");
  if (!langevin.coloured().empty()) fail("noise must be Gaussian and white, got {}", langevin.coloured().front());
  for (size_t i = 0; i < langevin.variables(); ++i) {
    const VariableValues& one = langevin.values().variables[i];
    if (!langevin.folds_alone(i))
      fail("forces and amplitudes must have a period in {}, got none{}", model.variables()[i].name,
           one.period > 0 ? fmt::format(": they change when it is shifted by {}", one.period)
                          : fmt::format(": give it a period, period = {{ {} = ... }}", model.variables()[i].name));
  }
}

}  // namespace

TorusMotion torus_motion(const Langevin& langevin) {
  if (langevin.variables() != 2) fail("the model must have two variables, got {}", langevin.variables());
  check_periodic(langevin);
  TorusMotion made;
  for (size_t i = 0; i < 2; ++i) made.length[i] = langevin.values().variables[i].length();
  made.at = [&langevin](double x, double y) {
    const Eigen::Vector2d z(x, y), drift = langevin.drift(z);
    const MatrixXd b = langevin.noise(z);
    const MatrixXd D = b * b.transpose() / 2;
    return TorusMotion::Local{drift(0), drift(1), D(0, 0), D(0, 1), D(1, 1)};
  };
  return made;
}

DiffusingMotion diffusing_motion(const Langevin& langevin) {
  if (langevin.variables() != 1) fail("the model must have one variable, got {}", langevin.variables());
  check_periodic(langevin);
  DiffusingMotion made;
  made.period = langevin.values().only().length();
  made.drift = [&langevin](double x) { return langevin.drift(VectorXd::Constant(1, x))(0); };
  made.diffusion = [&langevin](double x) { return langevin.noise(VectorXd::Constant(1, x)).squaredNorm() / 2; };
  if (!langevin.model().is_system()) made.breaks = landscape_of(langevin.model(), langevin.values()).breaks;
  made.hidden = langevin.hidden();
  return made;
}

}  // namespace bmsim::theory
