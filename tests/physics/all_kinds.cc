#include "all_kinds.h"

namespace bmsim::test {

std::vector<Case> cases() {
  const Part ramp{BM_POTENTIAL, "piecewise_linear", {}}, wave{BM_POTENTIAL, "sine", {}};
  const Part kicks{BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}}, heat{BM_NOISE, "gaussian", {{"D", 0.1}}};
  const Part flips{BM_NOISE, "dichotomous", {{"Fa", 3.0}, {"Fb", 1.6}, {"tau", 0.2}}};
  const Part drive{BM_DRIVE, "cosine", {{"amplitude", 1.0}, {"omega", 2.0}}};
  const Part bumps{BM_POTENTIAL, "table", {},
                   "",           {},      {{"V", {0, 1, 0.5, -1, 0.25}}, {"x", {-0.4, -0.1, 0, 0.3, 0.35}}}};
  const Part series{BM_POTENTIAL, "fourier", {}, "", {}, {{"a", {0.3, 0.1}}, {"b", {1, -0.25}}}};
  const Part colour{BM_NOISE, "ornstein_uhlenbeck", {{"sigma", 1.0}, {"tau", 0.3}}};
  const Part flights{BM_NOISE, "levy", {{"alpha", 1.5}, {"beta", 0.5}, {"scale", 0.3}}};
  const Part flashing{BM_NOISE, "dichotomous", {{"Fa", 1.0}, {"Fb", 0.5}, {"tau", 0.2}}, "flashing", {}, {}, true};
  const Part rocking{BM_DRIVE, "square", {{"amplitude", 0.4}, {"omega", 5.0}}, "rocking", {}, {}, true};
  const Part boiling{BM_NOISE, "ornstein_uhlenbeck", {{"sigma", 0.5}, {"tau", 0.2}}, "boiling", {}, {}, true};
  const Inertial light{0.5, 0.8, 0.2};
  std::vector<Case> all;
  all.push_back({"jumps", make_model({ramp, kicks}), "heun"});
  all.push_back({"flips", make_model({ramp, flips}), "platen"});
  all.push_back({"thermal jumps", make_model({ramp, kicks, heat}), "heun"});
  all.push_back({"everything", make_model({wave, kicks, flips, heat, drive}, 0.1), "heun"});
  all.push_back({"driven and thermal", make_model({wave, heat, drive}), "euler"});
  all.push_back({"paper", make_model({ramp, kicks, flips, heat}), "paper"});
  all.push_back({"inertial", make_model(light, {wave, heat, drive}), "aboba", true});
  all.push_back({"inertial, coloured", make_model(light, {series, heat, colour, rocking}), "heun"});
  all.push_back({"inertial, kicked", make_model(light, {bumps, heat, kicks, colour, drive}), "aboba"});
  all.push_back({"inertial, flashing", make_model(light, {wave, flashing, flights, heat, drive}), "heun", true});
  all.push_back({"coloured", make_model({bumps, colour, rocking}), "heun"});
  all.push_back({"coloured jumps", make_model({bumps, colour, kicks, drive}), "platen", true});
  all.push_back({"flights", make_model({ramp, flights, drive}), "euler", true});
  all.push_back({"flights and jumps", make_model({wave, flights, kicks, boiling}), "heun"});
  const Part switches{BM_NOISE, "dichotomous", {{"tau", 0.3}}, "switches", {}, {}, true};
  const Part coloured{BM_NOISE, "ornstein_uhlenbeck", {{"tau", 0.3}}}, levy{BM_NOISE, "levy", {}};
  all.push_back({"switched, coloured, Levy", make_model({wave, switches, coloured, levy, kicks}), "heun"});
  all.push_back(
      {"inertial, coloured and driven", make_model(Inertial{1, 0.5}, {wave, heat, coloured, drive}), "aboba"});
  all.push_back({"inertial jumps", make_model(Inertial{1, 0.5}, {wave, kicks, flips, switches, heat, drive}), "aboba"});
  const Part nodes{
      BM_POTENTIAL, "piecewise_linear", {}, "", {}, {{"V", {0, 0.3, 0.2, -0.2}}, {"x", {-0.4, -0.1, 0, 0.3}}}};
  const Part three{BM_NOISE, "three_state", {{"F", 2.0}}};
  all.push_back({"jumps, exact", make_model({ramp, kicks}), "exact"});
  all.push_back({"flips, exact", make_model({ramp, flips}), "exact"});
  all.push_back({"everything, exact", make_model({nodes, kicks, flips, three}, 0.3), "exact"});
  all.push_back({"thermal jumps, exact", make_model({ramp, kicks, heat}), "exact"});
  const Part flashes{BM_NOISE, "dichotomous", {{"Fa", 0.5}, {"Fb", 0.5}, {"tau", 0.3}}, "flashes", {}, {}, true};
  all.push_back({"everything thermal, exact", make_model({nodes, kicks, flips, three, flashes, heat}, 0.3), "exact"});
  all.push_back({"driven and thermal, adaptive", make_model({ramp, heat, drive}), "adaptive"});
  all.push_back(
      {"everything, adaptive", make_model({bumps, kicks, heat, colour, flashing, drive}, 0.1), "adaptive", true});
  all.push_back({"events of the state", changed_by_events(false), "heun"});
  all.push_back({"all events", changed_by_events(true), "heun"});
  all.push_back({"events at zeros", zeros(false), "heun"});
  all.push_back({"events at zeros in time", zeros(true), "heun"});
  all.push_back({"walls", between_walls(false), "heun"});
  all.push_back({"walls with inertia", between_walls(true), "heun"});
  all.push_back({"sticky walls", between_sticky_walls(), "heun"});
  return all;
}

}  // namespace bmsim::test
