// The paper's Algorithms 1-4, literally: rounded waiting times that fire one step late, a predictor without the drift
// of the noise, three force evaluations. Its errors are part of it; bmsim's own method "paper" has them, too.
//
// To be compiled with the authors' flags, -O3 -ffast-math, for the chip it runs on, -march=native. A force by a branch
// is predicted, so that the processor does not wait for one force before it begins the next; selecting it by a mask
// makes one long chain of each step. The sine version leaves the choice to the compiler, as the authors did (g++ 12
// branches in part, and only where no three-point draw is in the loop: hence `thermal`); the floor version insists on
// the branch, and is the fastest plain scalar program that we know.
#include "baseline.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

namespace bmsim::reference {
namespace {

template <class Real> constexpr Real pi = Real(3.14159265358979323846);

template <class Real> struct SineSignForce {  // -V' = +1 on (0, 1), -1 on (-1, 0)
  static constexpr Real period = 2;
  Real operator()(Real x) const {
    if (std::sin(pi<Real> * x) > 0) return 1;
    return -1;
  }
};

template <class Real> struct FloorForce {
  static constexpr Real period = 2;
  Real operator()(Real x) const {
    if (x / 2 - std::floor(x / 2) < Real(0.5)) return 1;
    asm volatile("");  // emits nothing; keeps the compiler from turning the branch into a selection
    return -1;
  }
};

template <class Real> struct SineForce {
  static constexpr Real period = 1;
  Real operator()(Real x) const { return -2 * pi<Real> * std::cos(2 * pi<Real> * x); }
};

/// xorshift64*: Vigna, ACM Trans. Math. Softw. 42 (2016) 30.
template <class Real> struct Uniform {
  uint64_t state;

  /// In [0, 1), 24 bits.
  Real operator()() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return static_cast<Real>(static_cast<int32_t>(state * 0x2545F4914F6CDD1DULL >> 40)) * Real(1.0 / 16777216);
  }
};

template <class Real> int rounded_wait(Real mean, Real dt, Uniform<Real>& uniform) {
  return static_cast<int>(-mean * std::log(1 - uniform()) / dt + Real(0.5));
}

/// Algorithm 3.
template <class Real> struct PoissonianIncrement {
  static constexpr double D = 1, a = 2.5, lambda = a * a / D, zeta = D / a;
  static constexpr double time_scale = 1 / lambda;
  Real dt;
  int wait = 0;

  void start(int, Uniform<Real>& uniform) { wait = rounded_wait(Real(1 / lambda), dt, uniform); }
  Real operator()(Uniform<Real>& uniform) {
    if (wait > 0) {
      --wait;
      return -Real(a) * dt;
    }
    wait = rounded_wait(Real(1 / lambda), dt, uniform);
    return -Real(zeta) * std::log(1 - uniform()) - Real(a) * dt;
  }
};

/// Algorithm 4; both states are equally frequent at the start, as in the authors' program.
template <class Real> struct DichotomousIncrement {
  static constexpr double Fa = 3, Fb = 1.6, tau = 0.2;
  static constexpr double tau_a = (Fa + Fb) * tau / Fa, tau_b = (Fa + Fb) * tau / Fb;
  static constexpr double time_scale = std::min(tau_a, tau_b);
  Real dt;
  int wait = 0;
  bool up = false;

  void start(int trajectory, Uniform<Real>& uniform) {
    up = trajectory % 2 == 0;
    wait = rounded_wait(Real(up ? tau_b : tau_a), dt, uniform);
  }
  Real operator()(Uniform<Real>& uniform) {
    if (wait > 0) {
      --wait;
    } else {
      up = !up;
      wait = rounded_wait(Real(up ? tau_b : tau_a), dt, uniform);
    }
    return (up ? Real(Fb) : -Real(Fa)) * dt;
  }
};

/// Algorithm 2; amplitude = sqrt(2 D_G 3 dt).
template <class Real> Real gaussian_increment(Real amplitude, Uniform<Real>& uniform) {
  const Real phi = uniform();
  if (phi <= Real(1.0 / 6)) return -amplitude;
  if (phi <= Real(1.0 / 3)) return amplitude;
  return 0;
}

template <class Real, class Increment> struct Trajectory {
  Real x = 0;         // folded into one period after each chunk
  double folded = 0;  // what folding has taken out of x
  Increment increment;
  Uniform<Real> uniform;
};

/// `steps` times Algorithm 1.
template <bool thermal, class Real, class Force, class Increment>
void advance(Trajectory<Real, Increment>& trajectory, int steps, Real dt, Real amplitude) {
  const Force force;
  auto [x, folded, increment, uniform] = trajectory;
  for (int step = 0; step < steps; ++step) {
    const Real xi = thermal ? gaussian_increment(amplitude, uniform) : Real(0);
    const Real F1 = force(x);
    Real F2 = force(x + F1 * dt + xi);
    F2 = force(x + Real(0.5) * (F1 + F2) * dt + xi);
    x += Real(0.5) * (F1 + F2) * dt + xi + increment(uniform);
  }
  const Real excess = std::floor(x / Force::period) * Force::period;
  trajectory = {x - excess, folded + static_cast<double>(excess), increment, uniform};
}

/// Rate and, if asked for, velocity of an ensemble that starts at 0.
template <class Real, class Force, class Increment>
double measure(double D_G, int spp, double seconds, double* velocity) {
  constexpr int trajectories = 64, periods_per_chunk = 10;
  using Clock = std::chrono::steady_clock;
  const double dt = Increment::time_scale / spp;
  const auto step = static_cast<Real>(dt), amplitude = static_cast<Real>(std::sqrt(6 * D_G * dt));
  const auto advance_one = D_G > 0 ? advance<true, Real, Force, Increment> : advance<false, Real, Force, Increment>;
  const int steps = periods_per_chunk * spp;
  std::vector<Trajectory<Real, Increment>> ensemble(trajectories);
  for (int n = 0; n < trajectories; ++n) {
    auto& [x, folded, increment, uniform] = ensemble[static_cast<size_t>(n)];
    increment.dt = step;
    uniform.state = 0x9E3779B97F4A7C15ULL * static_cast<uint64_t>(n + 1);
    increment.start(n, uniform);
  }
  std::vector<double> position{0};  // summed over the ensemble, after each chunk
  const auto begin = Clock::now();
  double elapsed = 0;
  while (elapsed < seconds) {
    double sum = 0;
    for (auto& trajectory : ensemble) {
      advance_one(trajectory, steps, step, amplitude);
      sum += static_cast<double>(trajectory.x) + trajectory.folded;
    }
    position.push_back(sum);
    elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  const size_t chunks = position.size() - 1, transient = chunks / 10;
  if (velocity != nullptr) {
    const double time = static_cast<double>(chunks - transient) * steps * dt;
    *velocity = (position.back() - position[transient]) / (time * trajectories);
  }
  return static_cast<double>(chunks) * steps * trajectories / elapsed;
}

template <class Real, class Force>
double measure(BaselineModel model, double D_G, int spp, double seconds, double* velocity) {
  if (model == BaselineModel::poissonian) {
    return measure<Real, Force, PoissonianIncrement<Real>>(D_G, spp, seconds, velocity);
  }
  return measure<Real, Force, DichotomousIncrement<Real>>(D_G, spp, seconds, velocity);
}

template <class Real>
double measure(BaselineModel model, BaselinePotential potential, BaselineForce force, double D_G, int spp,
               double seconds, double* velocity) {
  if (potential == BaselinePotential::sine) return measure<Real, SineForce<Real>>(model, D_G, spp, seconds, velocity);
  if (force == BaselineForce::floor) return measure<Real, FloorForce<Real>>(model, D_G, spp, seconds, velocity);
  return measure<Real, SineSignForce<Real>>(model, D_G, spp, seconds, velocity);
}

}  // namespace

double baseline_rate(BaselineModel model, BaselinePotential potential, BaselineForce force, double D_G, int spp,
                     BaselinePrecision precision, double* velocity, double seconds) {
  if (precision == BaselinePrecision::double_) {
    return measure<double>(model, potential, force, D_G, spp, seconds, velocity);
  }
  return measure<float>(model, potential, force, D_G, spp, seconds, velocity);
}

}  // namespace bmsim::reference
