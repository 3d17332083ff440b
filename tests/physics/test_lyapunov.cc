// Lyapunov exponents against eigenvalues and quadratures, their sign in a chaotic ratchet; basins of attraction.
//
// Held to: −k and the roots of ms² + γs + k of the spring, every method, with events and heat; −⟨V″⟩ of the sine;
// switched amplitude; the inertial ratchet of Jung, Kissner, Hänggi, PRL 76, 3436 (1996) at Mateos' values: −γ/2m where
// it is locked, positive where it is chaotic; basins path by path;
// systems: eigenvalues of linear ones with rotation, inertia and events, the larger of two without coupling,
// derivatives of all functions written out, geometric Brownian motion and a trap with multiplicative noise by
// quadrature, the Lorenz system, a noisy oscillator with shear against a plain program
#include <cmath>

#include "measures.h"
#include "numbers.h"
#include "observed.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const Part kicks{BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 0.3}}}, wave{BM_POTENTIAL, "sine", {}};
const Part spring{BM_POTENTIAL, "harmonic", {}}, heat{BM_NOISE, "gaussian", {{"D", 0.5}}};
Model at(double k, Model model) {
  model.set("harmonic.k", k);
  return model;
}

}  // namespace

TEST_CASE("lyapunov: -k of the overdamped spring, whatever the noise and the method") {
  const double k = 1.5;
  for (const std::string method : {"heun", "platen", "euler", "paper"})
    for (const bool jumps : {false, true}) {
      CAPTURE(method);
      RunOptions asked = timed_run(0.02, 10, 0.23, 64);
      asked.method = method;
      const Model model = at(k, jumps ? make_model({spring, heat, kicks}) : make_model({spring, heat}));
      CHECK_NEAR(observe(model, asked, {"lyapunov"}).column("lyapunov").value, -k, 1e-4 * k);
    }
}

TEST_CASE("lyapunov: the slower root of m s^2 + gamma s + k of the inertial spring, and the real part of a pair") {
  for (const std::string method : {"aboba", "heun"})
    for (const bool jumps : {false, true})
      for (const double gamma : {4.0, 0.5}) {
        CAPTURE(method);
        CAPTURE(gamma);
        const Inertial particle{1.25, gamma, 0};
        RunOptions asked = timed_run(0.01, 400, 0.25, 16);
        asked.method = method;
        const Model model =
            at(2, jumps ? make_model(particle, {spring, heat, kicks}) : make_model(particle, {spring, heat}));
        const double D = gamma * gamma - 4 * 1.25 * 2;
        const double exact = (-gamma + (D > 0 ? std::sqrt(D) : 0)) / (2 * 1.25);
        // the length of a turning vector swings by a factor that does not grow with the time
        const double got = observe(model, asked, {"lyapunov"}).column("lyapunov").value;
        CHECK_NEAR(got, exact, D > 0 ? 3e-4 : 4e-3);
      }
}

TEST_CASE("lyapunov: -<V''> of the sine, by quadrature; single and double precision" * doctest::test_suite("quick")) {
  const double D = 0.5;
  double norm = 0, curvature = 0;
  for (int i = 0; i < 256; ++i) {
    const double s = std::sin(2 * pi * i / 256), weight = std::exp(-s / D);
    norm += weight;
    curvature += -4 * pi * pi * s * weight;
  }
  for (const std::string precision : {"single", "double"}) {
    CAPTURE(precision);
    RunOptions asked = timed_run(0.001, 10, 0.1, 4096);
    asked.precision = precision;
    CHECK_EXACT(observe(make_model({wave, heat}), asked, {"lyapunov"}).column("lyapunov"), -curvature / norm, 0.03);
  }
}

TEST_CASE("lyapunov: an amplitude that switches the potential on and off switches the contraction") {
  const Part flashing{BM_NOISE, "dichotomous", {{"Fa", 1.0}, {"Fb", 1.0}, {"tau", 0.5}}, "flashing", {}, {}, true};
  const double k = 2;
  const Observed r =
      observe(at(k, make_model({spring, heat, flashing})), timed_run(0.01, 100, 0.1, 4096), {"lyapunov"});
  CHECK_EXACT(r.column("lyapunov"), -k, 0.02);  // the mean amplitude is 1
}

TEST_CASE("lyapunov: regular and chaotic motion in the driven inertial ratchet without noise") {
  // P. Jung, J. G. Kissner, P. Haenggi, Phys. Rev. Lett. 76, 3436 (1996); J. L. Mateos, Phys. Rev. Lett. 84, 258
  // (2000): delta = 1.614324, friction 0.1, omega = 0.67; locked to the drive at a = 0.074, chaotic at a = 0.08092844.
  const double b = -1 / (4 * pi * pi * 1.614324), omega = 0.67;
  const Part ratchet{BM_POTENTIAL, "fourier", {}, "", {}, {{"b", {b, b / 4}}}};
  const auto at = [&](double a) {
    RunOptions asked = options();
    asked.periods = 500;
    asked.spp = 200;
    asked.transient = 0.3;
    asked.paths = 48;
    asked.starts["x"] = StartLaw{0, 1, 0, 48};
    asked.starts["v"] = StartLaw{};
    const Part push{BM_DRIVE, "cosine", {{"amplitude", a}, {"omega", omega}}};
    return observe(make_model(Inertial{1, 0.1, 0}, {ratchet, push}), asked, {"lyapunov", "velocity"});
  };
  const Observed regular = at(0.074), chaotic = at(0.08092844);
  // a period-two orbit that moves by one period in two of the drive; phase space shrinks by 0.1, evenly to both sides
  CHECK_NEAR(regular.column("velocity").value, omega / (4 * pi), 1e-3 * omega / (4 * pi));
  CHECK_NEAR(regular.column("lyapunov").value, -0.05, 0.001);
  const Estimate chaos = chaotic.column("lyapunov");
  CHECK_NEAR(chaos.value, 0.065, 0.015);
  CHECK(chaos.error < 0.003);
}

TEST_CASE("basins: every cell has the velocity of its own path, and the mean of those that share it") {
  const size_t nx = 12, nv = 10;
  RunOptions asked = timed_run(0.01, 60, 0.5, nx * nv);
  asked.starts["x"] = StartLaw{0, 1, 0, nx};
  asked.starts["v"] = StartLaw{0, 16, 0, nv};
  const Model washboard = make_model(Inertial{1, 1, 4}, {wave});
  std::vector<double> velocity;
  asked.observables = {"basins"};
  RunHooks hooks;
  hooks.window = [&](size_t, std::span<const Window> windows) {
    const Window& w = windows[0];
    for (size_t i = 0; i < w.end.size(); ++i) velocity.push_back((w.end[i] - w.start[i]) / w.duration);
  };
  run(make_plan(washboard, Sweep(), asked), hooks);
  const Observed once = observe(washboard, asked, {"basins", "velocity"});
  const Array& map = once.array("basins_velocity");
  CHECK(map.values == velocity);
  REQUIRE(map.coordinates.size() == 2);
  CHECK(map.coordinates[0].name == "initial_v");
  CHECK(map.coordinates[0].values[0] == doctest::Approx(-7.2));
  CHECK(map.coordinates[1].values[nx - 1] == doctest::Approx(0.5 - 0.5 / 12));
  size_t locked = 0;
  for (const double v : map.values) {
    CHECK((std::abs(v) < 1e-3 || std::abs(v - 3.95) < 0.1));
    locked += std::abs(v) < 1e-3 ? 1 : 0;
  }
  CHECK(locked > nx);
  CHECK(locked < nx * (nv - 1));
  asked.paths = 12 * nx * nv;  // the same starts again, without noise
  const Observed twice = observe(washboard, asked, {"basins"});
  for (size_t i = 0; i < nx * nv; ++i) CHECK(twice.array("basins_velocity").values[i] == doctest::Approx(velocity[i]));
  for (const double error : twice.array("basins_velocity_err").values) CHECK(error < 1e-6);
}
