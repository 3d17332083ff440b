// First passages, residences and turning points against exact times: Wald's identities, quadratures, the inverse
// Gaussian law.
//
// Held to: first passages: free diffusion with a drift (mean, variance, and the inverse Gaussian law bin by bin), exit
// from an interval with three laws of increments, tilted sine and double well against quadrature, the latter with 13 %
// censored; kicks towards and away from the level and dichotomous noise, by Wald's identity with the exact overshoot.
// Residences: double well against quadrature, dichotomous noise in a spring against its pair of backward equations.
// Turning points: free diffusion with a drift by the mean time to a drawdown, with short and long steps; adaptive steps
// against fixed ones in a double well; a telegraph process, with steps and without; an oscillation's two in a period,
// with inertia, too.
#include <cmath>
#include <numbers>

#include "measures.h"
#include "observed.h"
#include "reference_inertial.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const char *mean_time = "mean_first_passage_time", *spread = "first_passage_variance";

ObservableRequest passage(std::vector<double> from, std::vector<double> to, double bins = 10) {
  ObservableRequest request{"first_passage", {{"to", std::move(to)}, {"bins", {bins}}}};
  if (!from.empty()) request.numbers["from"] = from;
  return request;
}
const Part heat{BM_NOISE, "gaussian", {}}, wells{BM_POTENTIAL, "double_well", {}};
Model at(double D, Model model) {
  model.set("gaussian.D", D);
  return model;
}
double well(double x) { return x * x * x * x / 4 - x * x / 2; }

}  // namespace

TEST_CASE("first passage: free diffusion with a drift, mean and variance by Wald, density inverse Gaussian" *
          doctest::test_suite("quick")) {
  const double D = 0.5, F = 1.5, b = 2;
  const Observed r =
      observe(at(D, make_model({heat}, F)), timed_run(0.005, 12, 0.3, 49152), {passage({0}, {b}), "velocity"});
  CHECK_EXACT(r.column(mean_time), b / F, 0.006);
  CHECK_EXACT(r.column(spread), 2 * D * b / (F * F * F), 0.02);
  CHECK_EXACT(r.column("velocity"), F, 0.003);
  const auto law = [&](double t) {  // probability to have passed; Schroedinger, Phys. Z. 16, 289 (1915)
    const double s = std::sqrt(2 * D * t);
    return normal_law(F * t - b, 0, s * s) + std::exp(F * b / D) * normal_law(-b - F * t, 0, s * s);
  };
  const Array &density = r.array("first_passage_density"), &error = r.array("first_passage_density_err");
  const double width = 1.2;
  double sum = 0;
  for (size_t i = 0; i < 10; ++i) {
    sum += density.values[i] * width;
    if (i > 4) continue;  // too few
    const double t = width * static_cast<double>(i);
    CAPTURE(t);
    CHECK_EXACT((Estimate{density.values[i], error.values[i]}), (law(t + width) - (i > 0 ? law(t) : 0)) / width, 0.003);
  }
  CHECK(sum == doctest::Approx(1 - r.column("first_passage_censored").value));
}

TEST_CASE("first passage: exit from an interval without a force, with each law of increments") {
  const double D = 0.7, b = 0.8, dt = 0.001;
  const double width = 2 * std::sqrt(3 * 2 * D * dt);  // starts are spread over two spacings of the lattice of a law
  const double x2 = width * width / 12, x4 = std::pow(width, 4) / 80;
  const double first = (b * b - x2) / (2 * D), second = (5 * b * b * b * b - 6 * b * b * x2 + x4) / (12 * D * D);
  for (const std::string law : {"five_point", "near_gaussian", "three_point", "gaussian"}) {
    CAPTURE(law);
    RunOptions asked = timed_run(dt, 6, 0, 98304);
    asked.increments = law;
    asked.starts["x"] = StartLaw{0, width, 0, 0};
    const Observed r = observe(at(D, make_model({heat})), asked, {passage({}, {-b, b})});
    CHECK_EXACT(r.column(mean_time), first, 0.0015);
    CHECK_EXACT(r.column(spread), second - first * first, 0.002);
  }
}

TEST_CASE("first passage: the law of the increments decides how far levels are moved") {
  const double D = 0.5, b = 1;
  for (const std::string law : {"five_point", "gaussian"}) {
    CAPTURE(law);
    RunOptions asked = timed_run(0.01, 15, 0, 98304);
    asked.increments = law;
    const Observed r = observe(at(D, make_model({heat}, 1)), asked, {passage({0}, {b})});
    // unmoved levels would give 1 + 0.7 * 0.1 and 1 + 0.58 * 0.1
    CHECK_EXACT(r.column(mean_time), b, 0.004);
  }
}

TEST_CASE("first passage: over the barriers of a tilted sine, by quadrature; from the left and from the right") {
  const double D = 0.5, F = 2;
  const auto V = [](double x) { return std::sin(2 * std::numbers::pi * x); };
  const Part wave{BM_POTENTIAL, "sine", {}};
  const double exact = reference::mean_exit(V, F, D, -8.25, -0.25, 1.75).time;
  const Observed r =
      observe(at(D, make_model({wave, heat}, F)), timed_run(0.001, 40, 0.1, 24576), {passage({-0.25}, {1.75})});
  CHECK_EXACT(r.column(mean_time), exact, 0.02);
  const auto mirrored = [](double x) { return -std::sin(2 * std::numbers::pi * x); };
  const double back = reference::mean_exit(mirrored, F, D, -8.25, 0.25, 1.75).time;  // x -> -x
  const Observed l =
      observe(at(D, make_model({wave, heat}, -F)), timed_run(0.001, 40, 0.1, 24576), {passage({-0.25}, {-1.75})});
  CHECK_EXACT(l.column(mean_time), back, 0.03);
}

TEST_CASE(
    "first passage: kicks upwards jump over the level, Wald with the mean overshoot; paths start where the run says") {
  const double lambda = 3, zeta = 0.4, b = 2;
  const Part kicks{BM_NOISE, "poisson", {{"lambda", lambda}, {"zeta", zeta}}};
  for (const double F : {lambda * zeta, 0.5 * lambda * zeta}) {  // without a drift between kicks, and against one
    CAPTURE(F);
    RunOptions asked = timed_run(0.05, F > 1 ? 20 : 80, 0.5, 49152);
    asked.starts["x"] = StartLaw{1, 0, 0, 0};
    const Observed r = observe(make_model({kicks}, F), asked, {passage({}, {1 + b})});
    CHECK_EXACT(r.column(mean_time), (b + zeta) / F, 0.03);
    if (F == lambda * zeta) CHECK_EXACT(r.column(spread), (1 + 2 * b / zeta) / (lambda * lambda), 0.02);
  }
}

TEST_CASE("first passage: kicks away from the level with heat; and between two states, at exact times") {
  const Part kicks{BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", -0.5}}};
  const double F = 1.5, b = 3, D = 0.3;
  const Observed r = observe(at(D, make_model({kicks, heat}, F)), timed_run(0.005, 40, 0, 49152), {passage({0}, {b})});
  CHECK_EXACT(r.column(mean_time), b / F, 0.01);
  CHECK_EXACT(r.column(spread), (2 * D + 2 * 2 * 0.25) * b / (F * F * F), 0.05);
  // dichotomous noise that never turns the particle back: <eta> = Fa Fb/F where a level far from the start is passed
  const double Fa = 1, Fb = 0.7, tau = 0.2, v = 1.4, far = 4;
  const Part flips{BM_NOISE, "dichotomous", {{"Fa", Fa}, {"Fb", Fb}, {"tau", tau}}};
  const Observed d = observe(make_model({flips}, v), timed_run(0.05, 12, 0, 196608), {passage({0}, {far})});
  CHECK_EXACT(d.column(mean_time), (far + tau * Fa * Fb / v) / v, 0.002);
}

TEST_CASE("first passage: an inertial particle without noise passes where a straight line in the step says") {
  const double m = 0.8, F = 1.3, b = 2;
  RunOptions asked = timed_run(0.05, 6, 0, 16);
  asked.starts["v"] = StartLaw{};
  const Observed r = observe(make_model(Inertial{m, 1, F}, {}), asked, {passage({0}, {b})});
  double t = 2;
  for (int i = 0; i < 50; ++i) t -= (F * (t - m * (1 - std::exp(-t / m))) - b) / (F * (1 - std::exp(-t / m)));
  CHECK_NEAR(r.column(mean_time).value, t, 5e-4 * t);
}

TEST_CASE("first passage: a run of twice the mean leaves one in seven, and the mean is still found") {
  const double D = 0.08, exact = reference::mean_exit(well, 0, D, -2.6, -1, 1).time;
  const Observed r =
      observe(at(D, make_model({wells, heat})), timed_run(0.02, 2 * exact, 0, 8192), {passage({-1}, {1})});
  CHECK_EXACT(r.column(mean_time), exact, 0.02 * exact);
  CHECK_EXACT(r.column(spread), exact * exact, 0.05 * exact * exact);
  CHECK_NEAR(r.column("first_passage_censored").value, std::exp(-2), 0.1 * std::exp(-2));
}

TEST_CASE("first passage: 0 for those that begin at the end of the way, nothing for those that never get there") {
  RunOptions asked = timed_run(0.1, 2, 0, 64);
  asked.starts["x"] = StartLaw{0, 2, 0, 64};  // -1 to 1
  const Observed r = observe(make_model({}), asked, {passage({}, {-0.5, 0.5})});
  CHECK(r.column("first_passage_censored").value == 0.5);
  CHECK(std::isnan(r.column(mean_time).value));  // none passes late, so that nothing is known of the others
  CHECK(r.array("first_passage_density").values[0] == doctest::Approx(0.5 / 0.2));
}

TEST_CASE("residence: of both states of a tilted double well, the mean time from one level to the other") {
  const double D = 0.15, F = 0.04, from = -0.6, to = 0.7;
  const double low = reference::mean_exit(well, F, D, -2.8, from, to).time;
  const double high = reference::mean_exit(well, -F, D, -2.8, -to, -from).time;  // x -> -x
  const Observed r = observe(at(D, make_model({wells, heat}, F)), timed_run(0.01, 400, 0.1, 4096),
                             {{"residence", {{"from", {from}}, {"to", {to}}}}});
  CHECK_EXACT(r.column("residence_low"), low, 0.01 * low);
  CHECK_EXACT(r.column("residence_high"), high, 0.01 * high);
  CHECK_EXACT(r.column("residence_low_fraction"), low / (low + high), 0.005);
}

TEST_CASE("residence: between the walls that dichotomous noise drives a particle to, at exact times") {
  // x' = -x + eta, eta = +-1, flips at the rate r. The lower state begins at -c with eta = -1. T_+-(x), the mean times
  // to c: (1 - x) T_+' + r (T_- - T_+) = -1 = -(1 + x) T_-' + r (T_+ - T_-), T_+(c) = 0, and T_- is finite at -1.
  const double tau = 0.8, r = 1 / (2 * tau), c = 0.7;
  const auto difference = [&](double x) {  // T_- - T_+, the integral over w = (1 + s)^r, which has no singularity
    const size_t n = 400;
    const double end = std::pow(1 + x, r);
    double sum = 0;
    for (size_t i = 0; i < n; ++i)
      sum += std::pow(2 - std::pow(end * (static_cast<double>(i) + 0.5) / n, 1 / r), r - 1) * end / n;
    return 2 * std::pow(1 - x * x, -r) * sum / r;
  };
  double exact = difference(-c);
  const size_t n = 2000;
  for (size_t i = 0; i < n; ++i) {
    const double x = c * ((2 * static_cast<double>(i) + 1) / n - 1);
    exact += (1 + r * difference(x)) / (1 - x) * 2 * c / n;
  }
  const Part flips{BM_NOISE, "dichotomous", {{"Fa", 1.0}, {"Fb", 1.0}, {"tau", tau}}};
  const Part spring{BM_POTENTIAL, "harmonic", {{"k", 1.0}}};
  const Observed o = observe(make_model({spring, flips}), timed_run(0.02, 1000, 0.1, 2048),
                             {{"residence", {{"from", {-c}}, {"to", {c}}}}});
  CHECK_EXACT(o.column("residence_low"), exact, 0.003 * exact);
  CHECK_EXACT(o.column("residence_high"), exact, 0.003 * exact);
  CHECK_EXACT(o.column("residence_low_fraction"), 0.5, 0.001);
}

namespace {

ObservableRequest turns(double threshold) { return {"turning_points", {{"threshold", {threshold}}}}; }

}  // namespace

TEST_CASE("turning points: free diffusion with a drift, at 10 to 30 standard deviations of a step's noise") {
  // From one to the next x goes back by h: a drawdown takes (D/F^2)(exp(F h/D) - 1) - h/F, the drawup after it the same
  // of -F (H. M. Taylor, Ann. Probab. 3, 234, 1975).
  const double D = 0.5, h = 1;
  const auto rate = [&](double F) { return F == 0 ? 2 * D / (h * h) : F * F / (D * (std::cosh(F * h / D) - 1)); };
  for (const auto& [F, dt] : {std::pair{0.0, 0.01}, {0.8, 0.01}, {0.8, 0.001}}) {
    CAPTURE(F);
    CAPTURE(dt);
    const Observed r = observe(at(D, make_model({heat}, F)), timed_run(dt, 20, 0.1, F > 0 ? 32768 : 16384), {turns(h)});
    CHECK_EXACT(r.column("turning_rate"), rate(F), 0.003 * rate(F));
  }
  const Model driven = at(D, make_model({wells, heat}));
  RunOptions adaptive = timed_run(0.002, 20, 0.1, 8192), fixed = timed_run(0.001, 20, 0.1, 8192);
  adaptive.method = "adaptive";
  fixed.seed = 2;
  CHECK_EXACT(difference(observe(driven, adaptive, {turns(0.5)}).column("turning_rate"),
                         observe(driven, fixed, {turns(0.5)}).column("turning_rate")),
              0, 0.012);
}

TEST_CASE("turning points: a telegraph process of speed c and rate k, with steps and without") {
  const double tau = 0.25, k = 1 / (2 * tau), c = 1.5, h = 0.4;
  const Part flips{BM_NOISE, "dichotomous", {{"Fa", c}, {"Fb", c}, {"tau", tau}}};
  for (const char* method : {"heun", "exact"}) {
    CAPTURE(method);
    RunOptions asked = timed_run(0.02, 50, 0.1, 4096);
    asked.method = method;
    // The pair of backward equations of the way back gives the mean time 1/k + 2 h/c + k h^2/c^2.
    CHECK_EXACT(observe(make_model({flips}), asked, {turns(h)}).column("turning_rate"), k / std::pow(1 + k * h / c, 2),
                0.002);
  }
}

TEST_CASE(
    "turning points: two in a period of a driven particle, none below the threshold; nan where steps are too long") {
  const Part drive{BM_DRIVE, "cosine", {{"amplitude", 1.0}, {"omega", 2 * std::numbers::pi}}};
  RunOptions asked = timed_run(0.01, 110, 1.0 / 11, 64);
  const auto rate = [&](const Model& model, double threshold) {
    return observe(model, asked, {turns(threshold)}).column("turning_rate").value;
  };
  const double swing = 1 / std::numbers::pi;  // of the overdamped one, from end to end
  CHECK(rate(make_model({drive}), 0.9 * swing) == 2);
  CHECK(rate(make_model({drive}), 1.1 * swing) == 0);
  CHECK(rate(make_model(Inertial{0.1, 1}, {drive}), 0.5 * swing) == 2);
  CHECK(std::isnan(rate(at(0.5, make_model({heat})), 0.9)));  // 9 standard deviations
  CHECK(std::isfinite(rate(at(0.5, make_model({heat})), 1.1)));
}

TEST_CASE(
    "a point with a path that diverged has no passages, residences, exponents or turning points, and its neighbour "
    "has") {
  RunOptions asked = timed_run(0.1, 40, 0.1, 64);
  asked.observables = {passage({-1}, {0.5}), {"residence", {{"from", {-0.5}}, {"to", {0.5}}}}, "lyapunov", turns(3)};
  Sweep sweep;
  sweep.add_axis({"gaussian.D"}, {{0.3, 1e4}});
  const RunOutcome outcome = run(make_plan(make_model({wells, heat}), sweep, asked), {});
  REQUIRE(outcome.diverged.size() == 1);
  for (const auto& column : outcome.estimates) {
    CHECK(std::isfinite(column[0].value));
    CHECK(std::isnan(column[1].value));
  }
}
