// Free and harmonically bound inertial particles: Maxwell's law, relaxation, kicks of the velocity, weak orders.
//
// Held to: Maxwell's law (variance, fourth moment, Kolmogorov-Smirnov), ⟨v²⟩ = T/m, decay e^{−γt/m} of a given v and
// growth of its variance, harmonic oscillator, cumulants of v under shot noise, weak orders of ⟨v²⟩; `aboba` and
// `heun`, several masses; `aboba` at γh/m from 0.01 to 20: drift, diffusion, ⟨x²⟩, ⟨v²⟩ of linear systems, kicks
#include <doctest/doctest.h>

#include <cmath>

#include "measures.h"
#include "reference_inertial.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const std::string methods[] = {"aboba", "heun", "platen"};

Model bound(double k, const reference::Particle& particle) {
  return make_model(Inertial{particle.m, particle.gamma},
                    {{BM_POTENTIAL, "harmonic", {{"k", k}}}, {BM_NOISE, "gaussian", {{"T", particle.T}}}});
}

void check_maxwell(const Sample& run, double variance_exact, double resolution) {
  const double s = variance_exact;
  CHECK_EXACT(run.velocity_squared, s, resolution * s);
  CHECK_EXACT(mean(run.speed), 0, 0.003 * std::sqrt(s));
  CHECK_EXACT(average(run.speed, [](double v) { return v * v; }), s, 0.004 * s);
  CHECK_EXACT(average(run.speed, [](double v) { return v * v * v * v; }), 3 * s * s, 0.02 * s * s);
  const double distance = kolmogorov_smirnov(run.speed, [&](double v) { return normal_law(v, 0, s); });
  CHECK_NEAR(distance, 0, kolmogorov_bound);
}

}  // namespace

TEST_CASE("Maxwell's law from a start at rest, in a periodic potential: <v^2> = T/m for gaussian by T and by D") {
  const double T = 0.6;
  for (const std::string& method : methods)
    for (const auto& [name, mass, gamma] :
         {std::tuple<const char*, double, double>{"T", 0.5, 0.8}, {"D", 2, 1.5}, {"T", 1, 4}}) {
      CAPTURE(std::string(method));
      CAPTURE(std::string(name));
      CAPTURE(mass);
      const double value = name[0] == 'T' ? T : gamma * T;
      const Model model = make_model(Inertial{mass, gamma},
                                     {{BM_POTENTIAL, "sine", {{"V0", 0.5}}}, {BM_NOISE, "gaussian", {{name, value}}}});
      RunOptions run = timed_run(0.01, 16, 0.75, 294912);
      run.method = method;
      run.starts["v"] = StartLaw{0, 0, 0, 0};
      check_maxwell(sample(model, run), T / mass, 0.0015);
    }
}

TEST_CASE("free particle from a fixed velocity: <v> = v0 exp(-gamma t/m), var v = T/m [1 - exp(-2 gamma t/m)]" *
          doctest::test_suite("quick")) {
  const reference::Particle particle{0.7, 0.9, 0.5};
  const double v0 = 1.6, time = 1.2, decay = std::exp(-particle.gamma * time / particle.m);
  const Model model = make_model(Inertial{0.7, 0.9}, {{BM_NOISE, "gaussian", {{"T", 0.5}}}});
  // aboba is exact for v at any step; the others show their step error of second order in 0.01.
  for (const auto& [method, dt] : {std::pair{"aboba", 0.4}, {"aboba", 0.01}, {"heun", 0.01}, {"platen", 0.01}}) {
    CAPTURE(std::string(method));
    CAPTURE(dt);
    RunOptions run = timed_run(dt, time, 0, 393216);
    run.method = method;
    run.increments = "gaussian";
    run.starts["v"] = StartLaw{v0, 0, 0, 0};
    const Sample free = sample(model, run);
    const double v2 = particle.T / particle.m * (1 - decay * decay);
    CHECK_EXACT(mean(free.speed), v0 * decay, 0.002);
    CHECK_EXACT(variance(free.speed), v2, 0.002);
    const double distance = kolmogorov_smirnov(free.speed, [&](double v) { return normal_law(v, v0 * decay, v2); });
    CHECK_NEAR(distance, 0, kolmogorov_bound);
    if (dt > 0.1) continue;
    CHECK_EXACT(mean(displacements(free)), v0 * particle.m / particle.gamma * (1 - decay), 0.002);
    CHECK_EXACT(variance(displacements(free)), reference::free_inertial_msd(particle, time, 0), 0.002);
  }
}

TEST_CASE("free particle in equilibrium: C(t) from the displacement, D = T/gamma in the end") {
  const reference::Particle particle{0.7, 0.9, 0.5};
  const Model model = make_model(Inertial{0.7, 0.9}, {{BM_NOISE, "gaussian", {{"D", 0.45}}}});
  for (const double time : {0.3, 1.5, 12.0}) {
    CAPTURE(time);
    const Sample free = sample(model, timed_run(0.005, time, 0, 393216));  // Maxwell's law at the start
    const double exact = reference::free_inertial_msd(particle, time, particle.T / particle.m);
    CHECK_EXACT(variance(displacements(free)), exact, 0.004 * exact);
    CHECK_EXACT(variance(free.speed), particle.T / particle.m, 0.003);
  }
  // <v(0) v(t)> of paths that begin at one of many velocities: each goes on at the fraction exp(-gamma t/m) of it.
  for (const double v : {-1.5, 0.5}) {
    RunOptions run = timed_run(0.01, 0.8, 0, 393216);
    run.starts["v"] = StartLaw{v, 0, 0, 0};
    const double exact = reference::velocity_correlation(particle, 0.8) / reference::velocity_correlation(particle, 0);
    const Estimate later = mean(sample(model, run).speed);
    CHECK_EXACT((Estimate{later.value / v, std::abs(later.error / v)}), exact, 0.003);
  }
}

TEST_CASE("harmonically bound particle: <x^2> = T/k, <v^2> = T/m, at low and at high friction") {
  for (const auto& [m, gamma, k] : {std::tuple{0.7, 0.5, 2.0}, {1.5, 6.0, 3.0}})
    for (const std::string& method : methods) {
      CAPTURE(std::string(method));
      CAPTURE(gamma);
      const reference::Particle particle{m, gamma, 0.4};
      const auto exact = reference::harmonic_inertial(k, particle);
      RunOptions run = timed_run(0.01, 24, 0.9, 196608);
      run.method = method;
      run.starts["x"] = StartLaw{0.3, 0, 0, 0};
      const Sample still = sample(bound(k, particle), run);
      CHECK_EXACT(mean(still.end), 0, 0.002);
      CHECK_EXACT(variance(still.end), exact.x2, 0.001);
      CHECK_EXACT(still.velocity_squared, exact.v2, 0.0015);
    }
}

TEST_CASE("kicks of a free particle's velocity at exact times: the stationary cumulants of v") {
  const reference::Particle particle{0.8, 1.2, 0};
  // Without the constant force of the compensation aboba is exact for v at any step, however many kicks fall into it.
  for (const auto& [method, dt, compensated] :
       {std::tuple{"aboba", 0.02, true}, {"aboba", 1.0, false}, {"heun", 0.02, true}, {"platen", 0.02, true}}) {
    CAPTURE(std::string(method));
    CAPTURE(dt);
    const Model model =
        make_model(Inertial{0.8, 1.2},
                   {{BM_NOISE, "poisson", {{"lambda", 2.5}, {"zeta", 0.4}, {"compensated", compensated ? 1 : 0}}}});
    const auto exact =
        reference::free_inertial_shots(particle, {2.5, reference::KickLaw::exponential(0.4), compensated});
    RunOptions run = timed_run(dt, 16, 0.75, 589824);
    run.method = method;
    const BatchedCumulants v = cumulants(sample(model, run).speed);
    CHECK_EXACT(v.mean, exact.mean, 0.001);
    CHECK_EXACT(v.variance, exact.variance, 0.0015);
    CHECK_EXACT(v.third, exact.third, 0.004);
    CHECK_EXACT(v.fourth, exact.fourth, 0.016);
  }
}

TEST_CASE("aboba at any gamma h/m: a free particle under a force has f/gamma, T/gamma, <v^2> = T/m + (f/gamma)^2") {
  const double gamma = 1.3, T = 0.6, force = 0.9, h = 0.1;
  for (const double turns : {0.01, 0.3, 2.0, 20.0}) {  // gamma h/m
    CAPTURE(turns);
    const double m = gamma * h / turns, v = force / gamma, time = 1000 * h;
    for (const std::string precision : {"single", "double"}) {
      CAPTURE(std::string(precision));
      RunOptions run = timed_run(h, time, 0.1, 131072);
      run.precision = precision;
      const Sample free = sample(make_model(Inertial{m, gamma, force}, {{BM_NOISE, "gaussian", {{"T", T}}}}), run);
      CHECK_EXACT(free.velocity, v * (turns < 0.1 ? 1 - m / gamma / 90 * std::exp(-gamma * 10 / m) : 1), 0.0005);
      const double exact = reference::free_inertial_msd({m, gamma, T}, 0.9 * time, T / m);
      CHECK_EXACT(variance(displacements(free)), exact, 0.004 * exact);
      if (turns > 0.1) CHECK_EXACT(free.velocity_squared, T / m + v * v, 0.002 * (T / m + v * v));
    }
  }
}

TEST_CASE("aboba at any gamma h/m, harmonic: <x^2> = T/k, <v^2> = T/m; v at the ends of steps is too fast") {
  const double gamma = 1.3, T = 0.6, h = 0.1;
  for (const double turns : {0.01, 0.3, 2.0, 20.0}) {
    CAPTURE(turns);
    const double m = gamma * h / turns, y = turns / 2;
    const double k = 0.5 * std::min(gamma / h, m / (h * h));  // half as stiff as aboba makes unstable, at least
    const double q = std::tanh(y) / y * h * h * k / m / 4;
    RunOptions run = timed_run(h, 800 * h, 0.5, 131072);
    run.starts["x"] = StartLaw{0, 0, std::sqrt(T / k), 0};
    const Sample still = sample(bound(k, {m, gamma, T}), run);
    CHECK_EXACT(variance(still.end), T / k, 0.005 * T / k);
    CHECK_EXACT(still.velocity_squared, T / m, 0.002 * T / m);
    CHECK_EXACT(variance(still.speed), T / m / (1 - q), 0.005 * T / m);
    run.paths = 4096;
    run.method = "aboba";
    run.observables = {{"average", {}, {{"v2", "v^2"}}}};  // at the ends of steps
    const Estimate at_ends = bmsim::run(make_plan(bound(k, {m, gamma, T}), Sweep(), run), {}).estimates[0][0];
    CHECK_EXACT(at_ends, T / m / (1 - q), 0.01 * T / m);
  }
}

TEST_CASE("aboba at any gamma h/m: kicks take a free particle m dv/gamma, and add their intensity to T/gamma") {
  const double gamma = 1.3, T = 0.3, h = 0.1;
  // Every twentieth step, and three in a step.
  for (const auto& [rate, force] : {std::pair{0.5, 0.0}, {0.5, 0.9}, {30.0, 0.0}, {30.0, 0.9}})
    for (const double turns : {2.0, 20.0}) {
      CAPTURE(force);
      CAPTURE(rate);
      CAPTURE(turns);
      const double m = gamma * h / turns, zeta = std::sqrt(0.4 / rate);
      const Model model = make_model(Inertial{m, gamma, force},
                                     {{BM_NOISE, "gaussian", {{"T", T}}},
                                      {BM_NOISE, "poisson", {{"lambda", rate}, {"zeta", zeta}, {"compensated", 0}}}});
      const Sample free = sample(model, timed_run(h, 50, 0.1, 65536));
      CHECK_EXACT(free.velocity, (force + rate * zeta) / gamma, 0.002);
      // Kicks of intensity 0.4 in the momentum diffuse as gamma T = 0.4 does, but for the start of the window.
      const double exact = reference::free_inertial_msd({m, gamma, T + 0.4 / gamma}, 45, (T + 0.4 / gamma) / m);
      CHECK_EXACT(variance(displacements(free)), exact, 0.007 * exact);
      if (force != 0) continue;  // the product of the drift and of the kicks' mean is of second order in <v^2>
      const double v = rate * zeta / gamma, square = (T + 0.4 / gamma) / m + v * v;
      CHECK_EXACT(free.velocity_squared, square, 0.004 * square);
    }
}

TEST_CASE("in a sine potential aboba has <v^2> = T/m at moderate steps, heun is of order 2 or better, euler of 1") {
  const double T = 0.5;
  const Model model = make_model(Inertial{}, {{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"T", T}}}});
  for (const double h : {0.08, 0.04}) {
    CAPTURE(h);
    CHECK_EXACT(sample(model, timed_run(h, 100, 0.1, 98304)).velocity_squared, T, 0.0003);
  }
  // heun's error in h^3, by which it gains energy at low friction, is the larger one here.
  const std::string heun = "heun";
  for (const auto& [method, expected, steps] :
       {std::tuple<std::string, int, std::pair<double, double>>{"heun", 2, {0.08, 0.04}}, {"euler", 1, {0.02, 0.01}}}) {
    std::vector<reference::BiasPoint> points;
    for (const double h : {steps.first, steps.second}) {
      RunOptions run = timed_run(h, 100, 0.1, 98304);
      run.method = method;
      const Estimate v2 = sample(model, run).velocity_squared;
      MESSAGE(method, ", h = ", h, ": bias of <v^2> ", v2.value - T, " +- ", v2.error);
      points.push_back({h, std::abs(v2.value - T), v2.error});
    }
    const auto fit = reference::fit_weak_order(points);
    MESSAGE(method, ", sine: order ", fit.order, " +- ", fit.error);
    CHECK(fit.error < 0.15);
    CAPTURE(std::string(method));
    if (method == heun)
      CHECK(fit.order > expected - 0.4);
    else
      CHECK_NEAR(fit.order, expected, 0.4);
  }
}
