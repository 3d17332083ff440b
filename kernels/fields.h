// Mean fields: averages of functions of the state over all trajectories of a share, which are one system. They are
// known at the ends of steps. What a step needs of them later than at its beginning is extrapolated from the step
// before: half a step of noise later than in the scheme with a second average, at its predicted end, which makes the
// same errors of second order in the step.
#pragma once
#include "calls.h"

namespace bmsim_kernel {

#if BM_FIELDS
class Fields {
 public:
  // All lanes keep the same numbers.
  BM_FN_MEMBER explicit Fields(Trajectories& s) {
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) now_[k] = s.field[k][0], before_[k] = s.field_before[k][0];
  }
  BM_FN_MEMBER void save(Trajectories& s) const {
    for (int l = 0; l < LANES; l++)
      BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) s.field[k][l] = now_[k], s.field_before[k][l] = before_[k];
  }
  // The fields at t = 0; after a step; and when events have changed them since.
  BM_FN_MEMBER void begin(const real (&mean)[BM_FIELDS]) {
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) now_[k] = before_[k] = mean[k];
  }
  BM_FN_MEMBER void advance(const real (&mean)[BM_FIELDS]) {
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) before_[k] = now_[k], now_[k] = mean[k];
  }
  BM_FN_MEMBER void change(const real (&mean)[BM_FIELDS]) {
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) now_[k] = mean[k];
  }
  // Outside influences with the fields as they are, or as they will be this part of a step later.
  template <class O> BM_FN_MEMBER O with(O outside, real later = 0) const {
    real field[BM_FIELDS];
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) field[k] = fma(now_[k] - before_[k], later, now_[k]);
    set_fields(outside, field);
    return outside;
  }

 private:
  real now_[BM_FIELDS], before_[BM_FIELDS];  // before_: one step ago
};
#else
struct Fields {
  BM_FN_MEMBER explicit Fields(Trajectories&) {}
  BM_FN_MEMBER void save(Trajectories&) const {}
  template <class O> BM_FN_MEMBER O with(O outside, real = 0) const { return outside; }
};
#endif

}  // namespace bmsim_kernel
