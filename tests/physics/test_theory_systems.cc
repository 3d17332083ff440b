// Exact results for systems, and for noise with an amplitude: against closed forms, quadratures of the tests, and runs.
#include <cmath>
#include <complex>

#include "measures.h"
#include "numbers.h"
#include "systems.h"
#include "theory_cases.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

typedef std::map<std::string, double> Values;
Values by_name(const char* theory, const Model& model) {
  const auto names = quantities_of(find_theory(theory), model);
  const auto numbers = theory_of(theory, model);
  REQUIRE(names.size() == numbers.size());
  Values all;
  for (size_t i = 0; i < names.size(); ++i) all[names[i]] = numbers[i];
  return all;
}
theory::LinearLaw law_of(const Model& model) { return linear_law(model, evaluate(model)); }

PartOf heat(const char* variable, double D) {
  return {variable, BM_NOISE, "gaussian", {{"D", D}}, std::string("bath_") + variable};
}

/// Two temperatures in a tilted trap.
Model gyrator(double u = 0.8) {
  return make_system({.variables = {{"x"}, {"y"}},
                      .equations = {{"x", "-2*x + u*y"}, {"y", "u*x - y"}},
                      .parameters = {{"u", u}},
                      .parts = {heat("x", 0.3), heat("y", 1.1)}});
}

/// x with inertia in a trap, y without, coupled, and pulled aside.
Model oscillator() {
  Model model = make_system({.variables = {{"x", true}, {"y"}},
                             .equations = {{"x", "u*y - 2*x"}, {"y", "u*x - y + 0.5"}},
                             .parameters = {{"u", 0.8}},
                             .parts = {heat("x", 0.3), heat("y", 1.1)}});
  model.set("mass_x", 0.7);
  model.set("gamma_x", 0.4);
  return model;
}

/// Phases in waves of their own, and coupled.
Model coupled(double V_x, double V_y, double k, double D_x, double D_y, const char* of_y = "") {
  SystemParts parts{.variables = {{"x"}, {"y"}},
                    .equations = {{"x", "-k*sin(2*pi*(x - y))"}, {"y", std::string("k*sin(2*pi*(x - y))") + of_y}},
                    .parameters = {{"k", k}},
                    .parts = {{"x", BM_POTENTIAL, "ratchet", {{"V0", V_x}}, "left"},
                              {"y", BM_POTENTIAL, "sine", {{"V0", V_y}}, "right"},
                              heat("x", D_x),
                              heat("y", D_y)}};
  Model model = make_system(parts);
  model.set("force_x", 1.3);
  model.set("force_y", -0.4);
  return model;
}

std::vector<double> thermal(const char* potential, double V0, double D, double force) {
  return theory_of("stratonovich",
                   make_model({{BM_POTENTIAL, potential, {{"V0", V0}}}, {BM_NOISE, "gaussian", {{"D", D}}}}, force));
}

/// v of dx = f(x) dt + sqrt(2 D(x)) dW of period 1, in the sense of Ito, by the trapezoidal rule.
double ring_velocity(const std::function<double(double)>& f, const std::function<double(double)>& D) {
  const size_t n = 20000;
  const double h = 1.0 / static_cast<double>(n);
  std::vector<double> psi(2 * n + 1), inner(2 * n + 1);
  for (size_t i = 1; i <= 2 * n; ++i) {
    const double middle = (static_cast<double>(i) - 0.5) * h;
    psi[i] = psi[i - 1] - h * f(middle) / D(middle);
    inner[i] = inner[i - 1] + h * (std::exp(psi[i]) + std::exp(psi[i - 1])) / 2;
  }
  double sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += h * std::exp(-psi[i]) / D(static_cast<double>(i) * h) * (inner[i + n] - inner[i]);
  return (1 - std::exp(psi[n])) / sum;
}

/// One variable, D = 0.5 (1 + a cos(2 pi x + phi)), without a potential.
Model tapering(const char* interpretation, double force) {
  Model model = make_model({{BM_NOISE, "gaussian", {{"D", 0.5}}}}, force);
  model.add_amplitude("gaussian", {"sqrt(1 + 0.6*cos(2*pi*x))"}, {});
  model.set_interpretation(interpretation);
  return model;
}

const std::pair<const char*, double> interpretations[] = {{"ito", 0}, {"stratonovich", 0.5}, {"anti_ito", 1}};

}  // namespace

// ---- linear ----

TEST_CASE("theory, linear: Brownian gyrator in closed form, equal times and later" * doctest::test_suite("quick")) {
  // A C + C A^T + 2 D = 0 by hand: C_xy = u (D_x + D_y)/((a + b)(a b - u^2)) ... with a = 2, b = 1
  const double a = 2, b = 1, u = 0.8, D_x = 0.3, D_y = 1.1, det = a * b - u * u;
  const double xy = u * (b * D_x + a * D_y) / ((a + b) * det), xx = (D_x + u * xy) / a, yy = (D_y + u * xy) / b;
  const Values got = by_name("linear", gyrator());
  CHECK(got.at("covariance_x_x") == relative(xx, 1e-13));
  CHECK(got.at("covariance_x_y") == relative(xy, 1e-13));
  CHECK(got.at("covariance_y_y") == relative(yy, 1e-13));
  CHECK(got.at("mean_x") == 0);
  CHECK(got.at("velocity_x") == 0);
  CHECK(got.at("diffusion_x_y") == 0);
  // the slope at t = 0 is A C; <x(t) y(0)> differs from <y(t) x(0)>, since heat flows
  const auto law = law_of(gyrator());
  const double h = 1e-5;
  CHECK((law.correlation(h)(0, 1) - xy) / h == relative(-a * xy + u * yy, 1e-4));
  CHECK((law.correlation(h)(1, 0) - xy) / h == relative(u * xx - b * xy, 1e-4));
  CHECK(law.correlation(-0.7)(0, 1) == relative(law.correlation(0.7)(1, 0), 1e-13));
  CHECK(law.correlation(-0.7)(0, 1) != relative(law.correlation(0.7)(0, 1), 1e-3));
}

TEST_CASE("theory, linear: trap without inertia, correlation and one-sided spectrum" * doctest::test_suite("quick")) {
  const double k = 1.7, D = 0.4, force = 0.6;
  for (const bool system : {false, true}) {
    Model model = system ? make_system({.variables = {{"x"}},
                                        .equations = {{"x", "-k*x"}},
                                        .parameters = {{"k", k}},
                                        .parts = {heat("x", D)}})
                         : make_model({{BM_POTENTIAL, "harmonic", {{"k", k}}}, {BM_NOISE, "gaussian", {{"D", D}}}});
    model.set(system ? "force_x" : "force", force);
    const auto law = law_of(model);
    CHECK(law.mean(0) == relative(force / k, 1e-13));
    CHECK(law.covariance(0, 0) == relative(D / k, 1e-13));
    CHECK(law.correlation(0.9)(0, 0) == relative(D / k * std::exp(-0.9 * k), 1e-13));
    const double f = 0.3, w = 2 * pi * f;
    CHECK(law.spectrum(f)(0) == relative(4 * D / (k * k + w * w), 1e-13));
  }
}

TEST_CASE("theory, linear: trap with inertia" * doctest::test_suite("quick")) {
  const double m = 0.5, gamma = 0.3, k = 2, T = 0.7, t = 0.8, f = 0.35;
  Model model =
      make_model(Inertial{m, gamma, 0}, {{BM_POTENTIAL, "harmonic", {{"k", k}}}, {BM_NOISE, "gaussian", {{"T", T}}}});
  const auto law = law_of(model);
  CHECK(linear_states(model) == std::vector<std::string>{"x", "v"});
  CHECK(law.covariance(0, 0) == relative(T / k, 1e-12));
  CHECK(law.covariance(1, 1) == relative(T / m, 1e-12));
  CHECK(law.covariance(0, 1) == absolute(0, 1e-14));
  const double rate = gamma / (2 * m), w = std::sqrt(k / m - rate * rate);
  CHECK(law.correlation(t)(0, 0) ==
        relative(T / k * std::exp(-rate * t) * (std::cos(w * t) + rate / w * std::sin(w * t)), 1e-12));
  const double q = 2 * pi * f;
  const double S = 4 * gamma * T / (std::pow(k - m * q * q, 2) + std::pow(gamma * q, 2));
  CHECK(law.spectrum(f)(0) == relative(S, 1e-12));
  CHECK(law.spectrum(f)(1) == relative(S * q * q, 1e-12));
  CHECK(by_name("linear", model).at("velocity_squared") == relative(T / m, 1e-12));
}

TEST_CASE("theory, linear: memory, coloured noise, one noise on two variables" * doctest::test_suite("quick")) {
  const double T = 0.7, k = 2, m = 0.5, c = 1.5, tau = 0.8;
  Model memory = make_system({.variables = {{"x", true}, {"z"}},
                              .equations = {{"x", "-k*x + z"}, {"z", "-(z + c*v_x)/tau"}},
                              .parameters = {{"k", k}, {"c", c}, {"tau", tau}},
                              .parts = {{"z", BM_NOISE, "gaussian", {{"D", T * c / (tau * tau)}}, "bath"}}});
  memory.set("mass_x", m);
  memory.set("gamma_x", 0);
  const Values of_memory = by_name("linear", memory);
  CHECK(of_memory.at("covariance_x_x") == relative(T / k, 1e-12));
  CHECK(of_memory.at("covariance_v_x_v_x") == relative(T / m, 1e-12));
  CHECK(of_memory.at("velocity_squared_x") == relative(T / m, 1e-12));
  const Model coloured =
      make_system({.variables = {{"x"}},
                   .equations = {{"x", "-k*x"}},
                   .parameters = {{"k", k}},
                   .parts = {{"x", BM_NOISE, "ornstein_uhlenbeck", {{"D", 0.6}, {"tau", tau}}}, heat("x", 0.2)}});
  CHECK(by_name("linear", coloured).at("covariance_x_x") == relative(0.6 / (k * (1 + k * tau)) + 0.2 / k, 1e-12));
  // dx = -x dt + b dW, dy = -3 y dt + c dW with D = 1/2: <x y> = b c/4
  const Model shared = make_system({.variables = {{"x"}, {"y"}},
                                    .equations = {{"x", "-x"}, {"y", "-3*y"}},
                                    .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.5}}}}},
                                   [](Model& made) {
                                     made.add_amplitude("gaussian", {"0.7", "-0.4"}, {});
                                   });
  CHECK(by_name("linear", shared).at("covariance_x_y") == relative(-0.7 * 0.4 / 4, 1e-12));
}

TEST_CASE("theory, linear: a bond between two traps" * doctest::test_suite("quick")) {
  const double k = 3, l = 0.4, D = 0.6;
  const Model model = make_system(
      {.variables = {{"x"}, {"y"}}, .equations = {{"x", "-x"}, {"y", "-y"}}, .parts = {heat("x", D), heat("y", D)}},
      [&](Model& made) {
        made.add_joint(Registry::instance().find(BM_POTENTIAL, "bond"), std::vector<std::string>{"x", "y"}, "");
        made.set("bond.k", k);
        made.set("bond.l", l);
      });
  const theory::LinearLaw law = law_of(model);
  const double stretch = l * 2 * k / (1 + 2 * k);  // of y - x, that of rest without traps being l
  CHECK(law.mean(1) == doctest::Approx(stretch / 2).epsilon(1e-12));
  CHECK(law.mean(0) == doctest::Approx(-stretch / 2).epsilon(1e-12));
  CHECK(law.covariance(0, 0) == doctest::Approx(D * (1 + k) / (1 + 2 * k)).epsilon(1e-12));
  CHECK(law.covariance(0, 1) == doctest::Approx(D * k / (1 + 2 * k)).epsilon(1e-12));
}

TEST_CASE("theory, linear: velocity and diffusion of what is not bound" * doctest::test_suite("quick")) {
  const double m = 0.5, gamma = 0.3, T = 0.7;
  const Model free = make_model(Inertial{m, gamma, 0.6}, {{BM_NOISE, "gaussian", {{"T", T}}}});
  const Values one = by_name("linear", free);
  CHECK(one.at("velocity") == relative(0.6 / gamma, 1e-12));
  CHECK(one.at("diffusion") == relative(T / gamma, 1e-12));
  CHECK(one.at("velocity_squared") == relative(T / m + 4, 1e-12));
  CHECK(std::isnan(one.at("covariance_x_x")));
  // a pair on a spring goes together; the force on it is one, so is the friction
  Model pair = make_system({.variables = {{"x"}, {"y"}}, .parts = {heat("x", 0.5), heat("y", 0.1)}}, [](Model& made) {
    made.add_energy("k/2*(x - y)^2", std::vector<std::string>{"k"}, "spring");
  });
  pair.set("spring.k", 3);
  pair.set("force_x", 1);
  const Values two = by_name("linear", pair);
  for (const char* name : {"velocity_x", "velocity_y"}) CHECK(two.at(name) == relative(0.5, 1e-12));
  for (const char* name : {"diffusion_x", "diffusion_y", "diffusion_x_y"})
    CHECK(two.at(name) == relative((0.5 + 0.1) / 4, 1e-12));
  CHECK(std::isnan(two.at("mean_x")));
}

TEST_CASE("theory, linear: correlation and spectrum are what observables measure") {
  const Model model = oscillator();
  RunOptions run = timed_run(0.01, 150, 0.1, 2048);
  run.observables = {{"correlation", {{"lags", {20}}, {"step", {0.2}}}, {{"of", "v_x"}}},
                     {"spectrum", {{"step", {0.1}}, {"samples", {512}}, {"segments", {4}}}, {{"of", "y"}}}};
  const RunOutcome outcome = bmsim::run(make_plan(model, Sweep(), run), {});
  const auto array = [&](const std::string& name) -> const Array& {
    for (const Array& one : outcome.arrays)
      if (one.name == name) return one;
    throw std::runtime_error(name);
  };
  const auto law = law_of(model);
  const Array &C = array("correlation_v_x"), &S = array("spectrum_y");
  for (size_t i = 0; i < C.values.size(); i += 4) {
    const Estimate got{C.values[i], array("correlation_v_x_err").values[i]};
    CHECK_EXACT(got, law.correlation(0.2 * static_cast<double>(i))(2, 2), 0.05);
  }
  for (const size_t i : {3U, 10U, 20U, 40U}) {  // higher ones have aliases
    const Estimate got{S.values[i], array("spectrum_y_err").values[i]};
    CHECK_EXACT(got, law.spectrum(array("spectrum_frequency_y").values[i])(1), 0.3);
  }
}

// ---- torus ----

TEST_CASE("theory, torus: two waves that know nothing of each other" * doctest::test_suite("quick")) {
  for (const double D : {0.5, 0.15, 0.08}) {
    CAPTURE(D);
    const Values got = by_name("torus", coupled(0.8, 0.4, 0, D, 2 * D));
    CHECK(got.at("velocity_x") == absolute(thermal("ratchet", 0.8, D, 1.3)[0], 1e-10));
    CHECK(got.at("velocity_y") == absolute(thermal("sine", 0.4, 2 * D, -0.4)[0], 1e-10));
  }
}

TEST_CASE("theory, torus: phases that know only their difference" * doctest::test_suite("quick")) {
  // d = x - y: d' = 1.7 - 2 k sin(2 pi d) under noise of D_x + D_y; x + y drifts with the sum of the forces
  const double k = 0.9, D_x = 0.1, D_y = 0.05;
  const double difference =
      ring_velocity([&](double d) { return 1.7 - 2 * k * std::sin(2 * pi * d); }, [&](double) { return D_x + D_y; });
  const Values got = by_name("torus", coupled(0, 0, k, D_x, D_y));
  CHECK(got.at("velocity_x") - got.at("velocity_y") == relative(difference, 1e-7));
  CHECK(got.at("velocity_x") + got.at("velocity_y") == relative(0.9, 1e-9));
}

TEST_CASE("theory, torus: amplitudes, of one variable and of both" * doctest::test_suite("quick")) {
  for (const auto& [word, alpha] : interpretations) {
    CAPTURE(word);
    // x alone has D(x); y is carried along at x's force
    const auto D = [](double x) { return 0.5 * (1 + 0.6 * std::cos(2 * pi * x)); };
    const double part = alpha;
    const auto drift = [&](double x) {
      return 0.7 + std::cos(2 * pi * x) - part * 0.5 * 0.6 * 2 * pi * std::sin(2 * pi * x);
    };
    const Model one = make_system({.variables = {{"x"}, {"y"}},
                                   .equations = {{"x", "0.7 + cos(2*pi*x)"}, {"y", "0.7 + cos(2*pi*x)"}},
                                   .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.5}}}, heat("y", 0.2)}},
                                  [&](Model& m) {
                                    m.add_amplitude("gaussian", {"sqrt(1 + 0.6*cos(2*pi*x))", ""}, {});
                                    m.set_interpretation(word);
                                  });
    const Values got = by_name("torus", one);
    CHECK(got.at("velocity_x") == relative(ring_velocity(drift, D), 1e-7));
    // without the drift of the amplitude, which has a mean of its own
    CHECK(std::isfinite(got.at("velocity_y")));
    if (part == 0) CHECK(got.at("velocity_y") == relative(got.at("velocity_x"), 1e-9));
    // rotated: s = x + y and d = x - y of one noise; b depends on d alone, and pushes both
    const Model both =
        make_system({.variables = {{"x"}, {"y"}},
                     .equations = {{"x", "0.5"}, {"y", "-0.5*sin(2*pi*(x - y))"}},
                     .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.3}}}, heat("y", 0.2), heat("x", 0.1)}},
                    [&](Model& m) {
                      m.add_amplitude("gaussian", {"1 + 0.3*cos(2*pi*(x - y))", "0.5"}, {});
                      m.set_interpretation(word);
                    });
    // d: b = 0.5 + 0.3 cos, D = 0.3 b^2 + 0.3, drift 0.5 + 0.5 sin + alpha 2 0.3 b b', of x alone
    const auto b = [](double d) { return 0.5 + 0.3 * std::cos(2 * pi * d); };
    const auto slope = [](double d) { return -0.3 * 2 * pi * std::sin(2 * pi * d); };
    const double exact =
        ring_velocity([&](double d) { return 0.5 + 0.5 * std::sin(2 * pi * d) + part * 0.6 * b(d) * slope(d); },
                      [&](double d) { return 0.3 * b(d) * b(d) + 0.3; });
    const Values together = by_name("torus", both);
    CHECK(together.at("velocity_x") - together.at("velocity_y") == relative(exact, 1e-7));
  }
}

TEST_CASE("theory, torus: a coupled case, as a run has it") {
  const Model model = coupled(0.5, 0.3, 2, 0.2, 0.3, " + 0.3*cos(2*pi*x)");
  RunOptions run = timed_run(0.002, 60, 0.1, 8192);
  run.observables = {"velocity"};
  const Plan plan = make_plan(model, Sweep(), run);
  const RunOutcome outcome = bmsim::run(plan, {});
  const Values got = by_name("torus", model);
  CHECK_EXACT(outcome.estimates[0][0], got.at("velocity_x"), 0.0016);
  CHECK_EXACT(outcome.estimates[1][0], got.at("velocity_y"), 0.0025);
}

// ---- one variable with an amplitude ----

TEST_CASE("theory, amplitude: v by the quadrature of the tests" * doctest::test_suite("quick")) {
  for (const auto& [word, alpha] : interpretations) {
    CAPTURE(word);
    const double part = alpha;
    const auto D = [](double x) { return 0.5 * (1 + 0.6 * std::cos(2 * pi * x + 0.8)); };
    const auto slope = [](double x) { return -0.3 * 2 * pi * std::sin(2 * pi * x + 0.8); };
    Model model = landauer(word);
    for (const double force : {0.0, 2.0, -1.0}) {
      model.set("force", force);
      const auto drift = [&](double x) { return force - 2 * pi * std::cos(2 * pi * x) + part * slope(x); };
      CHECK(theory_of("stratonovich", model)[0] == relative(ring_velocity(drift, D), 1e-6));
      CHECK(theory_of("auto", model)[0] == theory_of("stratonovich", model)[0]);
    }
  }
}

TEST_CASE("theory, amplitude: D_eff without drift, and of constant amplitude" * doctest::test_suite("quick")) {
  // Ito: the path is a martingale, D_eff = <D> with p ~ 1/D; anti-Ito: p is uniform, resistances 1/D add up;
  // Stratonovich: y = int dx/sqrt(D) diffuses freely
  double resistance = 0, length = 0;
  for (int i = 0; i < 4000; ++i) {
    const double D = 0.5 * (1 + 0.6 * std::cos(2 * pi * i / 4000));
    resistance += 1 / D / 4000;
    length += 1 / std::sqrt(D) / 4000;
  }
  CHECK(theory_of("stratonovich", tapering("ito", 0))[1] == relative(1 / resistance, 1e-9));
  CHECK(theory_of("stratonovich", tapering("anti_ito", 0))[1] == relative(1 / resistance, 1e-9));
  CHECK(theory_of("stratonovich", tapering("stratonovich", 0))[1] == relative(1 / (length * length), 1e-9));
  for (const auto& [word, alpha] : interpretations)
    CHECK(std::abs(theory_of("stratonovich", tapering(word, 0))[0]) < 1e-9);
  // an amplitude of 1/2 is a quarter of D
  for (const double force : {0.0, 2.0, -3.0, 0.01}) {
    Model model = make_model({{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"D", 0.8}}}}, force);
    model.add_amplitude("gaussian", {"0.5"}, {});
    const auto known = thermal("sine", 1, 0.2, force), got = theory_of("stratonovich", model);
    CHECK(got[0] == absolute(known[0], 1e-10));
    CHECK(got[1] == relative(known[1], 1e-8));
  }
}

TEST_CASE("theory, amplitude: v and D_eff, as runs have them") {
  for (const auto& [word, alpha] : interpretations) {
    CAPTURE(word);
    Model model = landauer(word);
    model.set("force", 4);
    RunOptions run = options();
    run.time = 60;
    run.paths = 16384;
    run.dt = 0.0005;
    run.check_step = false;
    run.observables = {"velocity", "diffusion"};
    const RunOutcome outcome = bmsim::run(make_plan(model, Sweep(), run), {});
    const auto exact = theory_of("stratonovich", model);
    CHECK_EXACT(outcome.estimates[0][0], exact[0], 0.01);
    CHECK_EXACT(outcome.estimates[1][0], exact[1], 0.05);
  }
}

TEST_CASE("theory: a system of one variable is the model without one" * doctest::test_suite("quick")) {
  Model system = make_system({.variables = {{"x"}}, .parts = {{"x", BM_POTENTIAL, "ratchet", {}}, heat("x", 0.3)}});
  system.set("force_x", 0.7);
  const Model plain = make_model({{BM_POTENTIAL, "ratchet", {}}, {BM_NOISE, "gaussian", {{"D", 0.3}}}}, 0.7);
  const auto one = theory_of("stratonovich", plain), other = theory_of("stratonovich", system);
  CHECK(other[0] == relative(one[0], 1e-9));
  CHECK(other[1] == relative(one[1], 1e-9));
  CHECK(quantities_of(find_theory("stratonovich"), system) == std::vector<std::string>{"velocity_x", "diffusion_x"});
}
