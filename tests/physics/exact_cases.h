// Models that method exact is for.
#pragma once
#include "measures.h"

namespace bmsim::test {

inline const Part ramp{BM_POTENTIAL, "piecewise_linear", {}};
inline const Part skewed{BM_POTENTIAL, "piecewise_linear", {{"L", 1.5}, {"V0", 0.7}, {"k", 0.3}}};
inline const Part stairs{BM_POTENTIAL,
                         "piecewise_linear",
                         {{"L", 3.0}, {"V0", 0.4}},
                         "",
                         {},
                         {{"x", {4.1, 4.5, 5.2, 5.9, 6.8}}, {"V", {0, 1, 1, -0.5, 0.8}}}};
inline const Part kicks{BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}};
inline const Part flips{BM_NOISE, "dichotomous", {{"Fa", 3.0}, {"Fb", 1.6}, {"tau", 0.2}}};
inline const Part three{BM_NOISE, "three_state", {{"F", 3.0}, {"q", 0.3}, {"nu", 1.5}}};
inline const Part nothing{BM_NOISE, "three_state", {{"F", 0.0}}, "nothing"};  // events that do nothing

inline Model poissonian(const Part& potential, double D, double a, double force = 0) {
  return make_model({potential, {BM_NOISE, "poisson", {{"D", D}, {"a", a}}}}, force);
}
inline Model dichotomous(const Part& potential, double Fa, double Fb, double tau, double force = 0) {
  return make_model({potential, {BM_NOISE, "dichotomous", {{"Fa", Fa}, {"Fb", Fb}, {"tau", tau}}}}, force);
}
inline RunOptions exactly(uint64_t paths, double periods, double spp = 100) {
  RunOptions run = options();
  run.method = "exact";
  run.paths = paths;
  run.periods = periods;
  run.spp = spp;
  return run;
}

}  // namespace bmsim::test
