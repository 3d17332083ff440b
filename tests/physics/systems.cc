#include "systems.h"

#include <fmt/format.h>

namespace bmsim::test {

namespace {

PartOf heat(const char* variable, const std::string& name, double D) {
  return {variable, BM_NOISE, "gaussian", {{"D", D}}, name};
}

}  // namespace

void begin_system(Model& model, const SystemParts& parts) {
  make_model({});  // loads the plugins
  std::vector<std::string> parameters;
  for (const auto& [name, value] : parts.parameters) parameters.push_back(name);
  model.make_system(parts.variables, parameters, parts.definitions);
  for (const PartOf& part : parts.parts) {
    const std::string name = part.name.empty() ? part.id : part.name;
    model.add(part.kind, part.id, name, part.variable);
    for (const auto& [parameter, value] : part.given) model.set(name + "." + parameter, value);
  }
}

void end_system(Model& model, const SystemParts& parts) {
  std::vector<std::string> equations;
  for (const ModelVariable& one : parts.variables) {
    const auto text = parts.equations.find(one.name);
    equations.push_back(text == parts.equations.end() ? "" : text->second);
  }
  model.set_equations(equations);
  for (const auto& [name, value] : parts.parameters) model.set(name, value);
}

Model make_system(const SystemParts& parts) {
  return make_system(parts, [](Model&) {});
}

Model active_particle(double V0, double v0, double D, double turning) {
  SystemParts parts{.variables = {{"x"}, {"y"}, {"theta", false, "2*pi"}},
                    .equations = {{"x", "v0*cos(theta)"}, {"y", "v0*sin(theta)"}, {"theta", "Omega"}},
                    .parameters = {{"v0", v0}, {"Omega", 0}},
                    .parts = {heat("x", "bath_x", D), heat("y", "bath_y", D), heat("theta", "turning", turning)}};
  if (V0 != 0) parts.parts.push_back({"x", BM_POTENTIAL, "ratchet", {{"V0", V0}}});
  return make_system(parts);
}

Model fitzhugh_nagumo() {
  return make_system({.variables = {{"x"}, {"y"}},
                      .equations = {{"x", "(x - x^3/3 - y)/epsilon"}, {"y", "x + a"}},
                      .parameters = {{"epsilon", 0.05}, {"a", 1.05}},
                      .parts = {heat("y", "gaussian", 0.02)}});
}

Model dimer(double k, double force) {
  const SystemParts parts{.variables = {{"x"}, {"y"}},
                          .parts = {{"x", BM_POTENTIAL, "ratchet", {{"V0", 0.3}}, "left"},
                                    {"y", BM_POTENTIAL, "ratchet", {{"V0", 0.3}}, "right"},
                                    heat("x", "bath_x", 0.3),
                                    heat("y", "bath_y", 0.3)}};
  Model model = make_system(parts, [](Model& m) {
    m.add_energy("k/2*(y - x - l)^2", std::vector<std::string>{"k", "l"}, "spring");
  });
  model.set("spring.k", k);
  model.set("spring.l", 0.4);
  model.set("force_x", force);
  model.set("force_y", force);
  return model;
}

Model two_junctions() {
  const SystemParts parts{.variables = {{"x", true}, {"y", true}},
                          .parts = {{"x", BM_POTENTIAL, "sine", {{"V0", 0.3}}, "left"},
                                    {"y", BM_POTENTIAL, "sine", {{"V0", 0.3}}, "right"},
                                    {"x", BM_NOISE, "gaussian", {{"T", 0.2}}, "bath_x"},
                                    {"y", BM_NOISE, "gaussian", {{"T", 0.2}}, "bath_y"}}};
  Model model =
      make_system(parts, [](Model& m) { m.add_energy("k/2*(y - x)^2", std::vector<std::string>{"k"}, "loop"); });
  model.set("loop.k", 0.7);
  for (const char* variable : {"x", "y"}) {
    model.set(std::string("gamma_") + variable, 0.5);
    model.set(std::string("force_") + variable, 0.2);
  }
  return model;
}

Model joint_potentials() {
  const SystemParts parts{.variables = {{"x", true}, {"y"}},
                          .parts = {{"x", BM_NOISE, "gaussian", {{"T", 0.2}}, "bath_x"}, heat("y", "bath_y", 0.2)}};
  return make_system(parts, [](Model& m) {
    m.set_friction("x", "1 + x^2");
    m.add_amplitude("bath_x", {"sqrt(1 + x^2)", ""}, {});
    for (const char* id : {"bond", "egg_crate", "ring"})
      m.add_joint(Registry::instance().find(BM_POTENTIAL, id), std::vector<std::string>{"x", "y"}, id);
    m.set("egg_crate.V1", 0.5);
    m.set("ring.V1", 0.2);
    m.set_choice("ring.n", "3");
  });
}

Model ring(size_t n) {
  SystemParts parts{.variables = {}, .parameters = {{"K", 1}, {"w", 0.1}}};
  for (size_t i = 0; i < n; ++i) {
    const std::string me = fmt::format("p{}", i);
    parts.variables.push_back({me, false, "2*pi"});
    parts.equations[me] =
        fmt::format("{0}*w + K*sin(p{1} - p{0}) + K*sin(p{2} - p{0})", i, (i + 1) % n, (i + n - 1) % n);
    parts.parts.push_back(heat(me.c_str(), fmt::format("n{}", i), 0.045));
  }
  return make_system(parts);
}

Model mixed() {
  const SystemParts parts{.variables = {{"x", true}, {"y"}},
                          .equations = {{"x", "-k*x + c*y*cos(t) - v_x^3"}, {"y", "if(y > x, x - y, r2) - y"}},
                          .parameters = {{"k", 2}, {"c", 0.5}},
                          .definitions = {{"r2", "x^2 + y^2"}},
                          .parts = {{"x", BM_NOISE, "gaussian", {{"T", 0.2}}, "bath"},
                                    {"x", BM_NOISE, "poisson", {{"D", 0.3}, {"a", 2.0}}, "kicks"},
                                    {"y", BM_NOISE, "dichotomous", {{"Fa", 1.0}, {"Fb", 1.0}, {"tau", 0.3}}, "flips"},
                                    {"y", BM_NOISE, "ornstein_uhlenbeck", {{"sigma", 0.5}, {"tau", 0.4}}, "colour"},
                                    {"x", BM_DRIVE, "cosine", {{"amplitude", 0.5}, {"omega", 2.0}}, "drive"}}};
  Model model = make_system(parts);
  model.set("mass_x", 0.8);
  return model;
}

Model changed_by_events(bool timed) {
  std::vector<PartOf> parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.2}}, "bath"},
                               {"theta", BM_NOISE, "gaussian", {{"D", 0.1}}, "turning"}};
  if (timed) parts.push_back({"y", BM_NOISE, "poisson", {{"D", 0.3}, {"a", 2.0}}, "kicks"});
  return make_system(
      {.variables = {{"x"}, {"theta", false, "2*pi"}, {"y", true}},
       .equations = {{"x", "cos(theta) - x + b*y"}, {"y", "x - y"}},
       .parameters = {{"b", 0.2}, {"w", 3}},
       .parts = parts},
      [&](Model& model) {
        model.add_event({.name = "hop",
                         .trigger = "rate",
                         .formula = "a*(1 + 0.5*sin(w*t))*exp(-x^2)",
                         .set = {{"v_y", "-v_y + E1"}, {"x", "x + 0.3*N*U"}}},
                        {"a"});
        model.set("hop.a", 2);
        model.add_event({.name = "spin", .trigger = "rate", .formula = "x^2", .set = {{"theta", "theta + 2*pi*U"}}},
                        {});
        if (!timed) return;
        model.add_event({.name = "tumble", .trigger = "rate", .formula = "1.5", .set = {{"theta", "2*pi*U"}}}, {});
        model.add_event({.name = "reset", .trigger = "every", .formula = "1.7", .set = {{"x", "b*N"}}}, {});
      });
}

Model zeros(bool swings) {
  Model model;
  const SystemParts parts = {
      .variables = {{"x", true}, {"y"}},
      .equations = {{"x", "y - x"}, {"y", "b*sin(x) - y"}},
      .parameters = {{"b", 0.5}},
      .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.3}}, "bath"},
                {"x", BM_NOISE, "ornstein_uhlenbeck", {{"D", 0.3}, {"tau", 0.4}}, "push"},
                {"y", BM_NOISE, "gaussian", {{"D", 0.2}}, "other"},
                {"y", BM_NOISE, "dichotomous", {{"Fa", 0.5}, {"Fb", 0.5}, {"tau", 0.5}}, "flips"},
                {"y", BM_NOISE, "poisson", {{"D", 0.1}, {"a", 2.0}}, "kicks"}}};
  begin_system(model, parts);
  model.add_amplitude("other", {"", "sqrt(1 + 0.3*y^2)"}, {});
  model.add_amplitude("flips", {"", "cos(x)"}, {});
  model.add_event({.name = "turn",
                   .trigger = "when",
                   .formula = swings ? "x + 0.2*sin(3*t)" : "x",
                   .direction = "down",
                   .set = {{"v_x", swings ? "-v_x - 1.2*cos(3*t)" : "-v_x"}}},
                  {});
  model.add_event(
      {.name = "spike", .trigger = "when", .formula = "y - 1 - 0.2*x", .direction = "up", .set = {{"y", "-0.2*E"}}},
      {});
  model.add_event({.name = "hop", .trigger = "rate", .formula = "exp(-x^2)", .set = {{"x", "x + 0.1*N"}}}, {});
  end_system(model, parts);
  return model;
}

Model between_walls(bool inertial) {
  return make_system({.variables = {{"x", inertial}, {"y"}},
                      .equations = {{"x", "y - x"}, {"y", "b*sin(x)"}},
                      .parameters = {{"b", 0.5}, {"top", 1.2}},
                      .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.3}}, "bath"},
                                {"y", BM_NOISE, "gaussian", {{"D", 0.2}}, "other"},
                                {"y", BM_NOISE, "poisson", {{"D", 0.1}, {"a", 2.0}}, "kicks"}}},
                     [](Model& model) {
                       model.add_walls({"x", "from", "top"}, {"from"});
                       model.set("wall_x.from", -0.5);
                       model.add_walls({"y", "", "top"}, {});
                     });
}

Model between_sticky_walls() {
  return make_system({.variables = {{"z"}, {"x"}, {"y"}},
                      .equations = {{"z", "x - y"}, {"x", "y - x"}, {"y", "b*sin(x) + cos(t)"}},
                      .parameters = {{"b", 0.5}, {"top", 1.2}, {"a", 0.3}},
                      .parts = {{"z", BM_NOISE, "gaussian", {{"D", 0.1}}, "third"},
                                {"x", BM_NOISE, "gaussian", {{"D", 0.3}}, "bath"},
                                {"y", BM_NOISE, "gaussian", {{"D", 0.2}}, "other"},
                                {"y", BM_NOISE, "ornstein_uhlenbeck", {{"D", 0.1}, {"tau", 0.5}}, "colour"}}},
                     [](Model& model) {
                       model.add_walls({"x", "from", "", false, "a"}, {"from"});
                       model.set("sticky_x.from", -0.5);
                       model.add_walls({"x", "", "top"}, {});
                       model.add_walls({"y", "", "top", false, "2*a"}, {});
                     });
}

Model kuramoto(double K, double D) {
  Model model;
  make_model({});  // loads the plugins
  model.make_system({{"theta", false, "2*pi"}}, {"K"});
  model.add_fields({{"c", "cos(theta)"}, {"s", "sin(theta)"}});
  model.add(BM_NOISE, "gaussian", "gaussian", "theta");
  model.set_equations({"K*(s*cos(theta) - c*sin(theta))"});
  model.set("K", K);
  model.set("gaussian.D", D);
  return model;
}

Model crowd(bool inertial) {
  Model model;
  make_model({});
  model.make_system({{"x", inertial}, {"y"}}, {"k"}, {{"r2", "x^2 + y^2"}});
  model.add_fields({{"m", "x"}, {"e", "r2"}, {"n", "tanh(y)"}});
  for (const char* variable : {"x", "y"}) {
    model.add(BM_NOISE, "gaussian", std::string("bath_") + variable, variable);
    model.set(std::string("bath_") + variable + ".D", 0.2);
  }
  model.add(BM_NOISE, "ornstein_uhlenbeck", "colour", "y");
  model.set("colour.D", 0.1);
  model.add_amplitude("bath_y", {"", "sqrt(1 + e)"}, {});
  model.add_event({.name = "hop", .trigger = "rate", .formula = "k*(1 + n^2)", .set = {{"y", "m + 0.3*N"}}}, {});
  model.add_event({.name = "look", .trigger = "every", .formula = "0.35/k", .set = {{"x", "x - 0.2*m*E"}}}, {});
  model.set_equations({"k*(m - x) - x*cos(t)", "n - y + sin(2*t)"});
  model.set("k", 1.5);
  return model;
}

Model network(bool inertial) {
  Model model;
  make_model({});
  model.make_system({{"x", inertial}, {"y"}, {"s"}}, {"k"});
  model.add_fields({{"m", "x"}, {"e", "y^2"}, {"n", "s"}});
  model.add(BM_NOISE, "gaussian", "bath", "x");
  model.set("bath.D", 0.2);
  model.add_amplitude("bath", {"sqrt(1 + e)", "", ""}, {});
  model.add(BM_NOISE, "ornstein_uhlenbeck", "colour", "s");
  model.set("colour.D", 0.1);
  model.add_event({.name = "fire",
                   .trigger = "when",
                   .formula = "x - 1 - 0.1*sin(2*t)",
                   .direction = "up",
                   .set = {{"x", "-0.3*U"}, {"s", "s + 1"}}},
                  {});
  model.add_event({.name = "pace",
                   .trigger = "when",
                   .formula = "y - 1 + 0.1*n",
                   .direction = "up",
                   .set = {{"y", "0.2*N"}, {"s", "s + 0.5*E"}}},
                  {});
  model.add_event({.name = "hop", .trigger = "rate", .formula = "k*(1 + n^2)", .set = {{"s", "m + 0.3*N"}}}, {});
  model.set_equations({"2 - x + k*(n - m)", "1 + 0.5*n*cos(t) - 0.2*y", "-2*s"});
  model.set("k", 1.5);
  return model;
}

Model kicked_pair() {
  return make_system({.variables = {{"x", true}, {"y"}},
                      .equations = {{"x", "-2*x + y*cos(t) - v_x^3"}, {"y", "tanh(x) - abs(y)*y"}},
                      .parts = {{"x", BM_NOISE, "gaussian", {{"T", 0.2}}, "bath"},
                                {"x", BM_NOISE, "poisson", {{"D", 0.3}, {"a", 2.0}}, "kicks"},
                                {"y", BM_NOISE, "ornstein_uhlenbeck", {{"sigma", 0.5}, {"tau", 0.4}}, "colour"}}});
}

Model landauer(const char* interpretation, double a, double phi) {
  Model model = make_model({{BM_POTENTIAL, "sine", {{"V0", 1.0}}}, {BM_NOISE, "gaussian", {{"D", 0.5}}}});
  model.add_amplitude("gaussian", {"sqrt(1 + a*cos(2*pi*x + phi))"}, {"a", "phi"});
  model.set("gaussian.amplitude.a", a);
  model.set("gaussian.amplitude.phi", phi);
  model.set_interpretation(interpretation);
  return model;
}

Model correlated(const char* interpretation) {
  const SystemParts parts{.variables = {{"x"}, {"y"}},
                          .equations = {{"x", "-x"}, {"y", "-2*y"}},
                          .parameters = {{"b", 0.7}, {"c", 0.6}},
                          .parts = {heat("x", "common", 0.5), heat("y", "own", 0.2)}};
  return make_system(parts, [&](Model& m) {
    m.add_amplitude("common", {"b", "c*x"}, {});
    m.set_interpretation(interpretation);
  });
}

Model MultipliedNoise::model() const {
  const SystemParts parts{
      .variables = {{"k"}, {"s"}, {"c"}, {"d"}, {"o"}},
      .equations = {{"k", "-decay*k"}, {"d", "-decay*d"}, {"o", "-decay*o"}},
      .parameters = {{"decay", decay}},
      .parts = {{"k", BM_NOISE, "poisson", {{"lambda", jumps}, {"zeta", growth}}, "growth"},
                {"c", BM_NOISE, "poisson", {{"lambda", kicks}, {"zeta", zeta}, {"compensated", 0}}, "kicks"},
                {"d", BM_NOISE, "dichotomous", {{"Fa", F}, {"Fb", F}, {"tau", flips}}, "flips"},
                {"o", BM_NOISE, "ornstein_uhlenbeck", {{"D", D}, {"tau", tau}}, "colour"}}};
  Model made = make_system(parts, [&](Model& m) {
    m.set_choice("growth.law", "constant");
    m.add_amplitude("growth", {"k", "k/2", "", "", ""}, {});
    m.add_amplitude("kicks", {"", "", "cos(omega*t)", "", ""}, {"omega"});
    m.add_amplitude("flips", {"", "", "", "d", ""}, {});
    m.add_amplitude("colour", {"", "", "", "", "o"}, {});
  });
  made.set("kicks.amplitude.omega", omega);
  return made;
}

Model kicked_by_place(double omega) {
  const SystemParts parts{.variables = {{"x", true}, {"y", true}},
                          .equations = {{"x", "-2*x"}, {"y", "-y"}},
                          .parts = {{"x", BM_NOISE, "poisson", {{"D", 0.3}, {"a", 1.0}, {"compensated", 0}}, "kicks"},
                                    {"y", BM_NOISE, "poisson", {{"D", 0.5}, {"a", 2.0}}, "pushes"},
                                    {"y", BM_NOISE, "dichotomous", {{"Fa", 1.0}, {"Fb", 1.0}, {"tau", 0.3}}, "flips"},
                                    heat("x", "bath", 0.1)}};
  Model made = make_system(parts, [](Model& m) {
    m.add_amplitude("kicks", {"cos(omega*t)", ""}, {"omega"});
    m.add_amplitude("pushes", {"0.3*y", "0.5"}, {});
    m.add_amplitude("flips", {"", "1 + 0.5*x"}, {});
  });
  made.set("kicks.amplitude.omega", omega);
  for (const char* variable : {"x", "y"}) made.set(std::string("gamma_") + variable, 0.5);
  return made;
}

Estimate last_of(const RunOutcome& outcome, const std::string& name) {
  Estimate found{NAN, NAN};
  for (const Array& array : outcome.arrays) {
    if (array.name == name) found.value = array.values.back();
    if (array.name == name + "_err") found.error = array.values.back();
  }
  return found;
}

RunOutcome moments_at(const Model& model, RunOptions run, double time, const std::vector<const char*>& of) {
  run.time = time;
  run.observables = {};
  for (const char* variable : of)
    run.observables.emplace_back("moments", std::map<std::string, std::vector<double>>{{"times", {time}}},
                                 std::map<std::string, std::string>{{"of", variable}});
  return bmsim::run(make_plan(model, Sweep(), run), {});
}

}  // namespace bmsim::test
