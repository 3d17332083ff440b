// A model with Gaussian noise as Langevin equations, at one point.
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "model/model.h"
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
  Eigen::Index size() const { return size_; }
  /// Coloured noises, in words.
  const std::vector<std::string>& coloured() const { return coloured_names_; }
  /// The first noise whose amplitude depends on the state, in words; "" if there is none.
  std::string multiplied() const;

  /// Whether forces and amplitudes are the same when this variable alone is shifted by its length.
  bool folds_alone(size_t variable) const;
  Eigen::VectorXd drift(const Eigen::VectorXd& z) const;
  Eigen::MatrixXd noise(const Eigen::VectorXd& z) const;
  /// Of a model of one variable: see DiffusingMotion.
  Hidden hidden() const;

 private:
  struct White {
    const Component* noise;
    double D;
    const Component* amplitude;  ///< null if there is none
  };
  struct Filter {
    size_t variable;
    Coloured law;
  };
  /// Positions as formulas take them, and the functions of an amplitude there: see StateFunctions::acts_on.
  std::vector<double> places(const Eigen::VectorXd& z) const;
  std::vector<double> amplitude(const White& white, const std::vector<double>& x, const Eigen::VectorXd& z) const;
  Eigen::Index velocity(size_t variable) const;

  const Model& model_;
  const ModelValues& values_;
  size_t velocities_ = 0;
  Eigen::Index size_ = 0;
  std::vector<White> whites_;
  std::vector<Filter> coloured_;
  std::vector<std::string> coloured_names_;
};

// What theories make of it. They throw Error for what these do not cover.
LinearMotion linear_motion(const Langevin& langevin);
TorusMotion torus_motion(const Langevin& langevin);
DiffusingMotion diffusing_motion(const Langevin& langevin);

}  // namespace bmsim::theory
