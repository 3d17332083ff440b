// The models of the benchmark: those of the founding paper, and with Gaussian noise and a smooth potential.
#pragma once
#include "ensemble.h"
#include "model/formula_plugin.h"

namespace bmsim::bench {

struct Models {
  Model jumps, thermal, smooth, flipping, both;
  Model inertial;  ///< of the baseline: driven, thermal
  Model written;   ///< smooth, its potential being a formula
};

inline Model written_model() {
  const std::vector<std::string> names = {"L", "V0"};
  Model model =
      test::make_model({{BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}}, {BM_NOISE, "gaussian", {{"D", 0.1}}}});
  model.add(formula_plugin(BM_POTENTIAL, "V0*sin(2*pi*x/L)", names), "");
  for (const auto& name : names) model.set("formula." + name, 1);
  return model;
}

inline Models models() {
  using test::make_model;
  using test::Part;
  const Part ramp{BM_POTENTIAL, "piecewise_linear", {}}, wave{BM_POTENTIAL, "sine", {}};
  const Part kicks{BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}}, heat{BM_NOISE, "gaussian", {{"D", 0.1}}};
  const Part flips{BM_NOISE, "dichotomous", {{"Fa", 3.0}, {"Fb", 1.6}, {"tau", 0.2}}};
  return {make_model({ramp, kicks}),
          make_model({ramp, kicks, heat}),
          make_model({wave, kicks, heat}),
          make_model({ramp, flips}),
          make_model({ramp, kicks, flips}),
          make_model({.gamma = 0.9}, {wave,
                                      {BM_NOISE, "gaussian", {{"T", 0.001}}},
                                      {BM_DRIVE, "cosine", {{"amplitude", 4.2}, {"omega", 4.9}}}}),
          written_model()};
}

}  // namespace bmsim::bench
