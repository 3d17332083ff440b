// Walls that reflect, and sticky ones, which hold a particle for a while.
//
// Held to: a box: uniform density, of several variables and under kicks, and no leak; sedimentation, V = x above a
// wall: moments of exp(-x/D); a harmonic trap cut in half: <x>, <x^2>; with inertia: Boltzmann's and Maxwell's laws
// above a wall; diffusion of a free particle from a wall: <x> = sqrt(4 D t/pi); noise with an amplitude between walls:
// its law in three interpretations. Sticky walls: the law between two of them under a force; relaxation towards it, by
// a sum of sines: where it is, how long it has been held, as another variable counts it, and the weak order; a mean
// field over such paths; length 0, which reflects, bit for bit; the mean time from a sticky wall to another that
// absorbs, as exits and as first_passage
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "measures.h"
#include "results.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

Model walled(Model model, const char* from, const char* to) {
  model.add_walls({"x", from, to}, {});
  return model;
}
Model heated(double D, double force = 0) { return make_model({{BM_NOISE, "gaussian", {{"D", D}}}}, force); }

}  // namespace

TEST_CASE("a box is filled evenly, with long steps and with kicks, and nothing leaks" * doctest::test_suite("quick")) {
  const Part heat{BM_NOISE, "gaussian", {{"D", 0.5}}},
      kicks{BM_NOISE, "poisson", {{"D", 0.2}, {"lambda", 2.0}}, "", {{"law", "two_sided"}}};
  for (const bool kicked : {false, true}) {
    CAPTURE(kicked);
    const Model model = kicked ? make_model({heat, kicks}) : make_model({heat});
    RunOptions run = timed_run(kicked ? 0.005 : 0.05, 12, 0.5, 50000);
    begin_at(run, "x", 0.4);
    const Results of(walled(model, "-1", "1"), run,
                     {average({{"x", "x"}, {"x2", "x^2"}}),
                      {"density", {{"bins", {8}}, {"range", {-1, 1}}, {"count", {4}}}},
                      {"paths", {{"paths", {50000}}, {"count", {4}}}}});
    CHECK_EXACT(of.column("x2"), 1.0 / 3, 0.002);
    for (const size_t bin : {0, 3, 7}) CHECK_EXACT(of.element("density", bin), 0.5, 0.005);
    for (const double x : of.array("paths_x").values) REQUIRE(std::abs(x) <= 1);
  }
}

TEST_CASE("what no noise moves stays at a wall: a force that presses, and run and tumble") {
  const Results pressed(walled(make_model({}, 1), "-1", "1"), timed_run(0.1, 100, 0.5, 64), {average({{"x", "x"}})});
  CHECK(pressed.column("x").value == doctest::Approx(1).epsilon(1e-6));
  const Results cold(walled(heated(0, 1), "-1", "1"), timed_run(0.02, 100, 0.5, 64), {average({{"x", "x"}})});
  CHECK(cold.column("x").value == doctest::Approx(1).epsilon(1e-6));
  // A third of the time is spent at the walls, where x^2 = 1; elsewhere x is uniform.
  const Model runner = make_system({.variables = {{"x"}, {"s"}}, .equations = {{"x", "s"}}}, [](Model& model) {
    model.add_event({.name = "tumble", .trigger = "rate", .formula = "2", .set = {{"s", "if(U < 0.5, 1, -1)"}}}, {});
    model.add_walls({"x", "-1", "1"}, {});
  });
  RunOptions run = timed_run(0.1, 100, 0.2, 8192);
  begin_at(run, "x", 0);
  begin_at(run, "s", 1);
  CHECK_EXACT(Results(runner, run, {average({{"x2", "x^2"}})}).column("x2"), 5.0 / 9, 0.001);
}

TEST_CASE("a force presses to a wall in long steps: mean distances as kernels/walls.h says" *
          doctest::test_suite("quick")) {
  struct Row {
    double dt, off;  // a step's move by the force is sqrt(dt) deviations
  };
  for (const auto& [dt, off] : {Row{0.1, 0.0015}, Row{0.4, 0.008}, Row{2.5, 0.055}})
    for (const bool above : {false, true}) {
      CAPTURE(dt);
      CAPTURE(above);
      const Model model = walled(heated(0.5, above ? 1 : -1), above ? "" : "0", above ? "0" : "");
      RunOptions run = timed_run(dt, 60, 0.3, 40000);
      begin_at(run, "x", above ? -0.3 : 0.3);
      run.increments = "gaussian";
      const Results of(model, run, {average({{"x", "abs(x)"}, {"x2", "x^2"}})});
      const Estimate x = of.column("x"), x2 = of.column("x2");
      CHECK(std::abs(x.value - 0.5) <= 0.5 * off + 4 * x.error);
      CHECK(std::abs(x2.value - 0.5) <= 0.5 * 2.5 * off + 4 * x2.error);
    }
}

TEST_CASE("jumps over many widths of a box end in it: of Levy noise, of kicks and by events") {
  const Part heat{BM_NOISE, "gaussian", {{"D", 0.1}}}, well{BM_POTENTIAL, "double_well", {}},
      heavy{BM_NOISE, "levy", {{"alpha", 0.6}, {"scale", 0.5}}},
      kicks{BM_NOISE, "poisson", {{"zeta", 5.0}, {"lambda", 2.0}}, "", {{"law", "two_sided"}}};
  const auto hopping = [&](const char* trigger, const char* formula) {
    Model model = make_model({heat});
    model.add_event({.name = "hop", .trigger = trigger, .formula = formula, .set = {{"x", "x + 20*N"}}}, {});
    return model;
  };
  for (const auto& [name, model, even] :
       {std::tuple("noise", make_model({heavy}), true), std::tuple("a force", make_model({well, heavy}), false),
        std::tuple("kicks", make_model({heat, kicks}), true),
        std::tuple("inertia",
                   make_model(Inertial{1, 1}, {heat, {BM_NOISE, "poisson", {{"zeta", 50.0}, {"lambda", 2.0}}}}), true),
        std::tuple("rate", hopping("rate", "2"), true), std::tuple("rate of x", hopping("rate", "1 + x^2"), false),
        std::tuple("interval", hopping("every", "0.37"), true),
        std::tuple("zero", hopping("when", "x - 0.5"), false)}) {
    const std::string what = name;
    CAPTURE(what);
    RunOptions run = timed_run(0.02, 12, 0.5, 4000);
    begin_at(run, "x", 0.4);
    const Results of(walled(model, "-1", "1"), run,
                     {average({{"x2", "x^2"}}), {"paths", {{"paths", {4000}}, {"count", {10}}}}});
    for (const double x : of.array("paths_x").values) REQUIRE(std::abs(x) <= 1);
    const Estimate x2 = of.column("x2");
    if (even) CHECK(std::abs(deviation(x2, 1.0 / 3)) < 4);
    CHECK(x2.error < 0.005);
  }
}

TEST_CASE("a particle that crosses a box several times in a step: where it is, and which way it goes") {
  const double v = 50, gamma = 1e-3, time = 20, x0 = 0.3;
  // without walls; every width of the box that it has crossed turns it once
  const double way = x0 + v / gamma * -std::expm1(-gamma * time), speed = v * std::exp(-gamma * time);
  const double widths = std::floor((way + 1) / 2), rest = way + 1 - 2 * widths;
  const bool back = std::fmod(widths, 2) == 1;
  for (const std::string method : {"aboba", "heun"})
    for (const double direction : {-1.0, 1.0}) {
      CAPTURE(method);
      CAPTURE(direction);
      RunOptions run = timed_run(0.1, time, 0.5, 64);
      run.method = method;
      begin_at(run, "x", direction * x0);
      begin_at(run, "v", direction * v);
      const Results of(walled(make_model(Inertial{1, gamma}, {}), "-1", "1"), run,
                       {{"paths", {{"paths", {1}}, {"times", {time}}}}});
      CHECK(of.array("paths_x").values[0] == doctest::Approx(direction * (back ? 1 - rest : rest - 1)).epsilon(0.01));
      CHECK(of.array("paths_v").values[0] == doctest::Approx(direction * (back ? -speed : speed)).epsilon(1e-4));
    }
}

TEST_CASE("a jump of which few digits are left ends in the box, and one that is not finite diverges") {
  for (const char* to : {"x + 1e25*N", "1e30*exp(900*(x + 2))"}) {
    CAPTURE(to);
    Model model = make_model({{BM_NOISE, "gaussian", {{"D", 0.1}}}});
    model.add_event({.name = "hop", .trigger = "rate", .formula = "2", .set = {{"x", to}}}, {});
    RunOptions run = timed_run(0.02, 12, 0.5, 64);
    begin_at(run, "x", 0.4);
    const Results of(walled(model, "-1", "1"), run, {{"paths", {{"paths", {64}}, {"count", {10}}}}});
    CHECK(of.outcome.diverged.size() == (to[0] == 'x' ? 0 : 1));
    for (const double x : of.array("paths_x").values) REQUIRE((std::isnan(x) || std::abs(x) <= 1));
  }
}

TEST_CASE("sedimentation: the law above a wall") {
  const double D = 0.5;
  for (const double force : {-1.0, 1.0}) {  // a wall below, and one above
    CAPTURE(force);
    RunOptions run = timed_run(0.005, 16, 0.5, 100000);
    begin_at(run, "x", -force / 2);
    const Results of(walled(heated(D, force), force < 0 ? "0" : "", force < 0 ? "" : "0"), run,
                     {average({{"x", "x"}, {"x2", "x^2"}})});
    CHECK_EXACT(of.column("x"), -force * D, 0.002);
    CHECK_EXACT(of.column("x2"), 2 * D * D, 0.005);
  }
  // the same force as an equation of a system, beside another variable that it depends on
  const Model system = make_system(
      {.variables = {{"y"}, {"x"}},
       .equations = {{"y", "-y"}, {"x", "-1 + 0*y"}},
       .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}, "bath"}, {"y", BM_NOISE, "gaussian", {{"D", D}}, "other"}}},
      [](Model& model) {
        model.add_walls({"x", "0"}, {});
      });
  RunOptions run = timed_run(0.005, 16, 0.5, 50000);
  begin_at(run, "x", 0.5);
  begin_at(run, "y", 0);
  const Results of(system, run, {average({{"x", "x"}, {"y2", "y^2"}})});
  CHECK_EXACT(of.column("x"), D, 0.003);
  CHECK_EXACT(of.column("y2"), D, 0.005);
}

TEST_CASE("half of a harmonic trap") {
  const double D = 0.5;
  const Model model = make_system(
      {.variables = {{"x"}}, .equations = {{"x", "-x"}}, .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}, "bath"}}},
      [](Model& m) {
        m.add_walls({"x", "0"}, {});
      });
  RunOptions run = timed_run(0.01, 16, 0.5, 100000);
  begin_at(run, "x", 0.5);
  const Results of(model, run, {average({{"x", "x"}, {"x2", "x^2"}})});
  CHECK_EXACT(of.column("x"), std::sqrt(2 * D / 3.14159265358979), 0.002);
  CHECK_EXACT(of.column("x2"), D, 0.003);
}

TEST_CASE("diffusion away from a wall") {
  const double D = 0.5, time = 2;
  RunOptions run = timed_run(0.02, time, 0, 200000);
  begin_at(run, "x", 0);
  const Results of(walled(heated(D), "0", ""), run, {{"moments", {{"times", {time}}}}});
  CHECK_EXACT(of.element("x_cumulant_1", 0), std::sqrt(4 * D * time / 3.14159265358979), 0.005);
}

TEST_CASE("with inertia: the laws of Boltzmann and of Maxwell above a wall") {
  const double T = 0.5, m = 0.8;
  Model model = make_model(Inertial{m, 0.7, -1}, {{BM_NOISE, "gaussian", {{"T", T}}}});
  model.add_walls({"x", "0"}, {});
  RunOptions run = timed_run(0.02, 40, 0.5, 50000);
  begin_at(run, "x", 0.5);
  const Results of(model, run, {average({{"x", "x"}}), {"velocity_squared"}});
  CHECK_EXACT(of.column("x"), T, 0.003);
  CHECK_EXACT(of.column("velocity_squared"), T / m, 0.003);
}

TEST_CASE("noise with an amplitude between walls: its law in three interpretations") {
  // b = 1 + x/2 between 0 and 1, no force: p ~ b^(2 alpha - 2)
  for (const auto& [word, alpha] :
       {std::pair("ito", 0.0), std::pair("stratonovich", 0.5), std::pair("anti_ito", 1.0)}) {
    const std::string interpretation = word;
    CAPTURE(interpretation);
    Model model = heated(0.5);
    model.add_amplitude("gaussian", {"1 + x/2"}, {});
    model.set_interpretation(word);
    model.add_walls({"x", "0", "1"}, {});
    RunOptions run = timed_run(0.001, 6, 0.5, 20000);
    begin_at(run, "x", 0.5);
    double mean = 0, all = 0;
    for (int i = 0; i < 10000; ++i) {
      const double x = (i + 0.5) / 10000, p = std::pow(1 + x / 2, 2 * alpha - 2);
      mean += x * p, all += p;
    }
    CHECK_EXACT(Results(model, run, {average({{"x", "x"}})}).column("x"), mean / all, 0.002);
  }
}

namespace {

/// Relaxation between a sticky wall at 0 and one that reflects at 1, without a force: <f(x(t))> from x0 is a sum of
/// cos(k (1 - x0)) with tan k = -l k, which is D u''(0) = (D/l) u'(0); orthogonal with the weight 1 + l delta(x).
struct StickyBox {
  double D = 0.5, length = 0.5, x0 = 0.3;
  /// Of x; of whether it is held; and of the time that it has been held from 0 to t.
  struct Means {
    double x = 0, held = 0, held_time = 0;
  };
  Means at(double t) const {
    Means sum{0.5 / (1 + length), length / (1 + length), length / (1 + length) * t};
    for (int n = 1; n <= 400; ++n) {
      double low = (n - 0.5) * M_PI, high = n * M_PI;  // there tan k is between -infinity and 0
      for (int i = 0; i < 60; ++i) {
        const double k = (low + high) / 2;
        (std::sin(k) / std::cos(k) + length * k < 0 ? low : high) = k;
      }
      const double k = (low + high) / 2, at_wall = std::cos(k), decay = D * k * k;
      const double norm = 0.5 + std::sin(2 * k) / (4 * k) + length * at_wall * at_wall;
      const double mode = std::cos(k * (1 - x0)) / norm, now = std::exp(-decay * t);
      sum.x += (1 - at_wall) / (k * k) * mode * now;
      sum.held += length * at_wall * mode * now;
      sum.held_time += length * at_wall * mode * (1 - now) / decay;
    }
    return sum;
  }
};

Model sticky(Model model, const char* from, const char* to, const char* length) {
  model.add_walls({"x", from, to, false, length}, {});
  return model;
}

}  // namespace

TEST_CASE("between sticky walls under a force: masses at the walls, and the density" * doctest::test_suite("quick")) {
  const double D = 0.5, length = 0.4;
  for (const double force : {0.0, -1.0}) {
    CAPTURE(force);
    // p = exp(force x/D) / all, and the mass length p at each wall
    const auto p = [&](double x) { return std::exp(force * x / D); };
    const double all = integral(0, 1, p) + length * (p(0) + p(1));
    for (const char* method : {"euler", "heun", "platen"}) {
      CAPTURE(std::string(method));
      RunOptions run = timed_run(0.001, 8, 0.5, 20000);
      run.method = method;
      begin_at(run, "x", 0.4);
      const Results of(sticky(heated(D, force), "0", "1", "0.4"), run,
                       {average({{"low", "if(x <= 0, 1, 0)"}, {"high", "if(x >= 1, 1, 0)"}, {"x", "x"}}),
                        {"density", {{"bins", {5}}, {"range", {0.1, 0.9}}, {"count", {4}}}}});
      CHECK_EXACT(of.column("low"), length * p(0) / all, 0.004);
      CHECK_EXACT(of.column("high"), length * p(1) / all, 0.004);
      const double mean = integral(0, 1, [&](double x) { return x * p(x); }) + length * p(1);
      CHECK_EXACT(of.column("x"), mean / all, 0.004);
      for (const size_t bin : {0, 2, 4}) {
        const double left = 0.1 + 0.16 * static_cast<double>(bin);
        CHECK_EXACT(of.element("density", bin), integral(left, left + 0.16, p) / 0.16 / all, 0.02);
      }
    }
  }
}

TEST_CASE("relaxation at a sticky wall: another variable goes on, and counts the time; weak order 1") {
  const StickyBox box;
  const double time = 0.5;
  const StickyBox::Means exact = box.at(time);
  // y counts the time at the wall, z diffuses all the time
  const Model model = make_system({.variables = {{"x"}, {"y"}, {"z"}},
                                   .equations = {{"y", "if(x <= 0, 1, 0)"}},
                                   .parts = {{"x", BM_NOISE, "gaussian", {{"D", box.D}}, "bath"},
                                             {"z", BM_NOISE, "gaussian", {{"D", 0.3}}, "other"}}},
                                  [](Model& m) {
                                    m.add_walls({"x", "0", "", false, "0.5"}, {});
                                    m.add_walls({"x", "", "1"}, {});
                                  });
  const auto at_step = [&](double dt, uint64_t paths) {
    RunOptions run = timed_run(dt, time, 0, paths);
    run.check_step = false;
    run.increments = "gaussian";
    begin_at(run, "x", box.x0);
    return Results(model, run,
                   {{"moments", {{"times", {time}}}, {{"of", "x,y,z"}}},
                    {"paths", {{"paths", {20}}, {"count", {10}}}, {{"of", "x"}}}});
  };
  {
    const Results fine = at_step(0.0005, 60000);
    CHECK_EXACT(fine.element("x_cumulant_1", 0), exact.x, 0.004);
    CHECK_EXACT(fine.element("y_cumulant_1", 0), exact.held_time, 0.002);
    CHECK_EXACT(fine.element("z_cumulant_1", 0), 0, 0.01);
    CHECK_EXACT(fine.element("z_cumulant_2", 0), 2 * 0.3 * time, 0.006);
    for (const double x : fine.array("paths_x").values) CHECK((x >= 0 && x <= 1));
  }
  // Two steps, and the extrapolation of them: an order of 1/2 would leave 0.4 of the bias of the first.
  const Estimate coarse = at_step(0.02, 2000000).element("x_cumulant_1", 0),
                 finer = at_step(0.01, 2000000).element("x_cumulant_1", 0);
  CHECK(std::abs(coarse.value - exact.x) > 10 * coarse.error);
  CHECK(coarse.error < 4e-4);
  const Estimate extrapolated{2 * finer.value - coarse.value, std::hypot(2 * finer.error, coarse.error)};
  CHECK_EXACT(extrapolated, exact.x, 0.001);
}

TEST_CASE("a mean field over paths at a sticky wall; one of length 0 reflects, bit for bit") {
  const double D = 0.5, length = 0.5;
  Model fields;
  make_model({});
  fields.make_system({{"x"}, {"y"}}, {});
  fields.add_fields({{"mx", "x"}});
  for (const char* variable : {"x", "y"}) {
    fields.add(BM_NOISE, "gaussian", std::string("bath_") + variable, variable);
    fields.set(std::string("bath_") + variable + ".D", D);
  }
  fields.add_walls({"x", "0", "", false, "0.5"}, {});
  fields.add_walls({"x", "", "1"}, {});
  fields.set_equations({"", "mx - y"});
  RunOptions run = timed_run(0.005, 20, 0.3, 2000);
  begin_at(run, "x", 0.5);
  begin_at(run, "y", 0.3);
  const Results of(fields, run, {average({{"y", "y"}, {"low", "if(x < 1e-6, 1, 0)"}})});
  CHECK_EXACT(of.column("low"), length / (1 + length), 0.002);
  CHECK_EXACT(of.column("y"), 0.5 / (1 + length), 0.006);

  RunOptions short_run = timed_run(0.01, 4, 0, 200);
  begin_at(short_run, "x", 0.5);
  const auto mean = [&](const Model& model) {
    return Results(model, short_run, {average({{"x", "x"}})}).column("x").value;
  };
  CHECK(mean(sticky(heated(D, -1), "0", "1", "0")) == mean(walled(heated(D, -1), "0", "1")));
}

TEST_CASE("from a sticky wall to another that absorbs" * doctest::test_suite("quick")) {
  // D T'' = -1, T(1) = 0; at the wall D T'(0) = -length: T(0) = 1/(2 D) + length/D
  const double D = 0.5;
  for (const double length : {0.05, 1.0}) {
    CAPTURE(length);
    RunOptions run = timed_run(0.002, 60, 0, 30000);
    begin_at(run, "x", 0);
    const Model model = sticky(heated(D), "0", "", length < 0.5 ? "0.05" : "1");
    Model ends = model;
    ends.add_walls({"x", "", "1", true}, {});
    const double exact = 0.5 / D + length / D;
    CHECK_EXACT(Results(ends, run, {{"exits"}}).column("mean_exit_time"), exact, 0.01 * exact);
    CHECK_EXACT(Results(model, run, {{"first_passage", {{"to", {1}}}}}).column("mean_first_passage_time"), exact,
                0.01 * exact);
  }
}
