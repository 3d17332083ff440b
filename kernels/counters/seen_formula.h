// The parameters of the formula that other counters look at (seen.h). It counts nothing itself.
#pragma once
#include "counter.h"

namespace bmsim_kernel {

class SeenFormula : public Counter {
 public:
  typedef SeenFormulaValues Values;
  BM_FN_MEMBER SeenFormula(Trajectories& s, const Parameters& p, const Launch& launch) : Counter(s, p, launch) {}
};

}  // namespace bmsim_kernel
