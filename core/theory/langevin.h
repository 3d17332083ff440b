// A model with Gaussian noise as Langevin equations, at one point of a sweep.
#pragma once
#include <string>
#include <vector>

#include "model/model.h"
#include "theory/algebra.h"
#include "theory/content.h"
#include "theory/linear.h"
#include "theory/stratonovich.h"
#include "theory/torus.h"

namespace bmsim::theory {

/// dz = drift(z) dt + noise(z) dW in the sense of Ito, <W W> = t. z: positions, velocities of the variables with
/// inertia, coloured noises. The model and its values must outlive it.
class Langevin {
 public:
  /// Throws Error for noise that is not Gaussian, drives, and forces and amplitudes that depend on time.
  Langevin(const Model& model, const ModelValues& values);

  const Model& model() const { return model_; }
  const ModelValues& values() const { return values_; }
  size_t variables() const { return values_.variables.size(); }
  bool inertial() const { return velocities_ > 0; }
  Index size() const { return size_; }
  /// Names of the first coloured noise, and of the first noise whose amplitude depends on the state, for messages; ""
  /// if there is none.
  std::string coloured() const { return coloured_.empty() ? "" : named(*coloured_[0].noise); }
  std::string multiplied() const;

  /// Whether forces and amplitudes stay the same when this variable alone is shifted by its length.
  bool folds_alone(size_t variable) const;
  VectorXd drift(const VectorXd& z) const;
  MatrixXd noise(const VectorXd& z) const;
  /// Hidden structure, of a model of one variable: see DiffusingMotion.
  Hidden hidden() const;

 private:
  struct White {
    const Component* noise;
    double D;
    const Component* amplitude;  ///< null if there is none
  };
  struct Filter {
    const Component* noise;
    Coloured law;
  };
  /// Positions as formulas take them.
  std::vector<double> places(const VectorXd& z) const;
  /// The functions of an amplitude at these positions: see StateFunctions::acts_on.
  std::vector<double> amplitude(const White& white, const std::vector<double>& x, const VectorXd& z) const;
  Index driven(size_t variable) const;  ///< index in z of what a force on the variable changes

  const Model& model_;
  const ModelValues& values_;
  size_t velocities_ = 0;
  Index size_ = 0;
  std::vector<White> whites_;
  std::vector<Filter> coloured_;
};

// The equations as theories take them. Each throws Error if they are not of its kind.
LinearMotion linear_motion(const Langevin& langevin);
TorusMotion torus_motion(const Langevin& langevin);
DiffusingMotion diffusing_motion(const Langevin& langevin);

}  // namespace bmsim::theory
