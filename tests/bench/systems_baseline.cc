// The systems of systems.cc with their parameters as constants, each as a physicist would write it by hand; to be
// compiled with -O3 -ffast-math -march=native.
#include "systems_baseline.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

namespace bmsim::reference {

namespace {

constexpr float turn = 6.2831853F;

/// -dV/dx of V0 [sin(2 pi x) + b sin(4 pi x)], V0 = 0.3, b = 0.25.
float ratchet(float x) { return -0.3F * turn * (std::cos(turn * x) + 0.5F * std::cos(2 * turn * x)); }

// N numbers of state, of which number `noisy`, ... noisy + M - 1 have noise of the intensity D; a drift.
struct ActiveParticle {
  static constexpr int N = 3, M = 3, noisy = 0;
  static constexpr float D[M] = {0.1F, 0.1F, 0.05F};
  static void drift(const float* x, float* d) {
    d[0] = 2 * std::cos(x[2]) + ratchet(x[0]);
    d[1] = 2 * std::sin(x[2]);
    d[2] = 0;
  }
};
struct FitzHughNagumo {
  static constexpr int N = 2, M = 1, noisy = 1;
  static constexpr float D[M] = {0.02F};
  static void drift(const float* x, float* d) {
    d[0] = 20 * (x[0] - x[0] * x[0] * x[0] / 3 - x[1]);
    d[1] = x[0] + 1.05F;
  }
};
struct Dimer {
  static constexpr int N = 2, M = 2, noisy = 0;
  static constexpr float D[M] = {0.3F, 0.3F};
  static void drift(const float* x, float* d) {
    const float spring = 4 * (x[1] - x[0] - 0.4F);
    d[0] = spring + ratchet(x[0]) + 0.1F;
    d[1] = -spring + ratchet(x[1]) + 0.1F;
  }
};
struct Landauer {
  static constexpr int N = 1, M = 1, noisy = 0;
  static constexpr float D[M] = {0.5F};
  static void drift(const float* x, float* d) { d[0] = -turn * std::cos(turn * x[0]); }
  static float amplitude(const float* x) { return std::sqrt(1 + 0.6F * std::cos(turn * x[0] + 0.8F)); }
};
struct TwoJunctions {
  static constexpr int N = 4, M = 2, noisy = 2;
  static constexpr float D[M] = {0.1F, 0.1F};
  static void drift(const float* x, float* d) {
    const float loop = 0.7F * (x[1] - x[0]);
    d[0] = x[2];
    d[1] = x[3];
    d[2] = -0.5F * x[2] - 0.3F * turn * std::cos(turn * x[0]) + loop + 0.2F;
    d[3] = -0.5F * x[3] - 0.3F * turn * std::cos(turn * x[1]) - loop + 0.2F;
  }
};
struct Ring {
  static constexpr int N = 8, M = 8, noisy = 0;
  static constexpr float D[M] = {0.045F, 0.045F, 0.045F, 0.045F, 0.045F, 0.045F, 0.045F, 0.045F};
  static void drift(const float* x, float* d) {
    for (int i = 0; i < 8; ++i)
      d[i] = 0.1F * static_cast<float>(i) + std::sin(x[(i + 1) & 7] - x[i]) + std::sin(x[(i + 7) & 7] - x[i]);
  }
};

/// xorshift64*: Vigna, ACM Trans. Math. Softw. 42 (2016) 30.
struct Uniform {
  uint64_t state;
  float operator()() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return static_cast<float>(static_cast<int32_t>(state * 0x2545F4914F6CDD1DULL >> 40)) * (1.0F / 16777216);
  }
};

// One trajectory; inlined, g++ makes vectors of several of them where no sine is in the way.
template <class System> [[gnu::noinline]] void advance(float* x, Uniform& uniform, int steps, float dt) {
  constexpr int N = System::N, M = System::M;
  float size[M], f[N], g[N], y[N], xi[M];
  for (int k = 0; k < M; ++k) size[k] = std::sqrt(6 * System::D[k] * dt);
  for (int step = 0; step < steps; ++step) {
    for (int k = 0; k < M; ++k) {
      const float u = uniform();
      xi[k] = u <= 1.0F / 6 ? -size[k] : u <= 1.0F / 3 ? size[k] : 0;
    }
    System::drift(x, f);
    for (int i = 0; i < N; ++i) y[i] = x[i] + f[i] * dt;
    float before = 1, after = 1;
    if constexpr (requires { System::amplitude(x); }) before = System::amplitude(x);
    for (int k = 0; k < M; ++k) y[System::noisy + k] += before * xi[k];
    System::drift(y, g);
    if constexpr (requires { System::amplitude(x); }) after = System::amplitude(y);
    for (int i = 0; i < N; ++i) x[i] += 0.5F * dt * (f[i] + g[i]);
    for (int k = 0; k < M; ++k) x[System::noisy + k] += 0.5F * (before + after) * xi[k];
  }
}

template <class System> double measure(double seconds) {
  constexpr int trajectories = 64, steps = 2000;
  using Clock = std::chrono::steady_clock;
  std::vector<float> states(trajectories * System::N, 0.1F);
  std::vector<Uniform> streams;
  for (uint64_t n = 1; n <= trajectories; ++n) streams.push_back({0x9E3779B97F4A7C15ULL * n});
  const auto begin = Clock::now();
  double elapsed = 0, rounds = 0;
  for (; elapsed < seconds; ++rounds) {
    for (size_t n = 0; n < trajectories; ++n) advance<System>(&states[n * System::N], streams[n], steps, 0.002F);
    elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  float sum = 0;
  for (const float x : states) sum += x;
  [[maybe_unused]] static volatile float used;
  used = sum;  // so that nothing is left out
  return rounds * trajectories * steps / elapsed;
}

/// Kuramoto's phases, K = 2, D = 1: 1024 that attract each other by their mean field. Scalar, as the others are.
[[gnu::optimize("no-tree-vectorize")]] double measure_kuramoto(double seconds) {
  constexpr int phases = 1024, steps = 200;
  constexpr float K = 2, dt = 0.002F;
  using Clock = std::chrono::steady_clock;
  std::vector<float> theta(phases), moved(phases), force(phases), noise(phases);
  for (size_t i = 0; i < phases; ++i) theta[i] = turn * static_cast<float>(i) / phases;
  Uniform stream{1};
  const float size = std::sqrt(3 * 2 * dt);
  const auto field = [](const std::vector<float>& at, float& c, float& s) {
    c = s = 0;
    for (const float one : at) c += std::cos(one), s += std::sin(one);
    c /= phases, s /= phases;
  };
  const auto begin = Clock::now();
  double elapsed = 0, rounds = 0;
  for (; elapsed < seconds; ++rounds) {
    for (int step = 0; step < steps; ++step) {
      float c = 0, s = 0;
      field(theta, c, s);
      for (size_t i = 0; i < phases; ++i) {
        const float u = stream();
        noise[i] = u <= 1.0F / 6 ? -size : u <= 1.0F / 3 ? size : 0;
        force[i] = K * (s * std::cos(theta[i]) - c * std::sin(theta[i]));
        moved[i] = theta[i] + force[i] * dt + noise[i];
      }
      field(moved, c, s);
      for (size_t i = 0; i < phases; ++i)
        theta[i] += (force[i] + K * (s * std::cos(moved[i]) - c * std::sin(moved[i]))) * dt / 2 + noise[i];
    }
    elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  [[maybe_unused]] static volatile float used;
  used = theta[0];
  return rounds * phases * steps / elapsed;
}

}  // namespace

double plain_system_rate(PlainSystem system, double seconds) {
  switch (system) {
    case PlainSystem::active_particle:
      return measure<ActiveParticle>(seconds);
    case PlainSystem::fitzhugh_nagumo:
      return measure<FitzHughNagumo>(seconds);
    case PlainSystem::dimer:
      return measure<Dimer>(seconds);
    case PlainSystem::landauer:
      return measure<Landauer>(seconds);
    case PlainSystem::two_junctions:
      return measure<TwoJunctions>(seconds);
    case PlainSystem::ring:
      return measure<Ring>(seconds);
    case PlainSystem::kuramoto:
      return measure_kuramoto(seconds);
  }
  return 0;
}

}  // namespace bmsim::reference
