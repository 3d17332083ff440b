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

/// Particle of mass 1 in V = sin(2 pi x), thermal noise, cosine drive; one period of the drive a chunk.
template <class Real> struct Inertial {
  static constexpr double gamma = 0.9, a = 4.2, omega = 4.9, D = 0.001;
  Real x = 0, v = 0;
  double sum = 0, sum_of_squares = 0;  // of v
  Uniform<Real> uniform;
};

/// One period by Heun's method, two evaluations of the force a step; the drive at a step's end is the next one's first.
template <class Real> void advance_period(Inertial<Real>& particle, int spp, Real dt, Real amplitude, Real f) {
  constexpr auto gamma = static_cast<Real>(Inertial<Real>::gamma), a = static_cast<Real>(Inertial<Real>::a);
  const SineForce<Real> force;
  const Real turn = 2 * pi<Real> / static_cast<Real>(spp);  // omega dt
  Real x = particle.x, v = particle.v, sum = 0, sum_of_squares = 0, drive = a + f;
  auto uniform = particle.uniform;
  for (int step = 1; step <= spp; ++step) {
    const Real xi = gaussian_increment(amplitude, uniform);
    const Real a1 = force(x) + drive - gamma * v;
    const Real x2 = x + v * dt, v2 = v + a1 * dt + xi;
    drive = a * std::cos(turn * static_cast<Real>(step)) + f;
    const Real a2 = force(x2) + drive - gamma * v2;
    x += Real(0.5) * (v + v2) * dt;
    v += Real(0.5) * (a1 + a2) * dt + xi;
    sum += v;
    sum_of_squares += v * v;
  }
  particle = {x - std::floor(x), v, particle.sum + static_cast<double>(sum),
              particle.sum_of_squares + static_cast<double>(sum_of_squares), uniform};
}

template <class Real> double measure_inertial(int spp, double f, double seconds, VelocityMoments* moments) {
  constexpr int trajectories = 64, transient = 10;
  using Clock = std::chrono::steady_clock;
  using Particle = Inertial<Real>;
  const double dt = 2 * pi<double> / (Particle::omega * spp);
  const auto step = static_cast<Real>(dt),
             amplitude = static_cast<Real>(std::sqrt(6 * Particle::gamma * Particle::D * dt));
  std::vector<Particle> ensemble(trajectories);
  for (int n = 0; n < trajectories; ++n) {
    auto& particle = ensemble[static_cast<size_t>(n)];
    particle.uniform.state = 0x9E3779B97F4A7C15ULL * static_cast<uint64_t>(n + 1);
    particle.x = static_cast<Real>(n) / trajectories;
  }
  const auto begin = Clock::now();
  double elapsed = 0, periods = 0;
  for (; elapsed < seconds || periods <= transient; ++periods) {
    for (auto& particle : ensemble) {
      if (periods == transient) particle.sum = particle.sum_of_squares = 0;
      advance_period(particle, spp, step, amplitude, static_cast<Real>(f));
    }
    elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  if (moments != nullptr) {
    *moments = {0, 0};
    const double samples = (periods - transient) * spp * trajectories;
    for (const auto& particle : ensemble) {
      moments->v += particle.sum / samples;
      moments->v2 += particle.sum_of_squares / samples;
    }
  }
  return periods * spp * trajectories / elapsed;
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

double inertial_baseline_rate(int spp, double f, BaselinePrecision precision, VelocityMoments* moments,
                              double seconds) {
  if (precision == BaselinePrecision::double_) return measure_inertial<double>(spp, f, seconds, moments);
  return measure_inertial<float>(spp, f, seconds, moments);
}

}  // namespace bmsim::reference
