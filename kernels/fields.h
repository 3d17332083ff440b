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
  // The fields at t = 0; after a step, in which events may have changed them (jumps.h); and when events have changed
  // them since, which does not change how fast the motion does.
  BM_FN_MEMBER void begin(const real (&mean)[AVERAGED]) {
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) now_[k] = before_[k] = mean[k];
  }
  BM_FN_MEMBER void advance(const real (&mean)[AVERAGED]) {
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) {
      before_[k] = now_[k], now_[k] = mean[k];
      if constexpr (BM_CROSSINGS > 0) before_[k] += mean[BM_FIELDS + k];
    }
  }
  BM_FN_MEMBER void shift(const real (&mean)[AVERAGED]) {
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) before_[k] += mean[k] - now_[k], now_[k] = mean[k];
  }
  BM_FN_MEMBER real at(int k, real later) const { return fma(now_[k] - before_[k], later, now_[k]); }
  // Phases that are fields, so many steps later, and their changes per step.
  template <class X, int N> BM_FN_MEMBER void set_phases(X (&phase)[N], real later) const {
    real field[BM_FIELDS];
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) field[k] = at(k, later);
    set_field_phases(phase, field);
  }
  template <class X, int N> BM_FN_MEMBER void set_slopes(X (&per_step)[N]) const {
    real slope[BM_FIELDS];
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) slope[k] = now_[k] - before_[k];
    set_field_phases(per_step, slope);
  }
  // Outside influences with the fields as they are, or as they will be this part of a step later.
  template <class O> BM_FN_MEMBER O with(O outside, real later = 0) const {
    real field[BM_FIELDS];
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) field[k] = at(k, later);
    set_fields(outside, field);
    return outside;
  }
  // The same without a jump of the fields.
  template <class O> BM_FN_MEMBER O without(const real (&jump)[BM_FIELDS], O outside) const {
    real field[BM_FIELDS];
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) field[k] = now_[k] - jump[k];
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
  template <class P> BM_FN_MEMBER void set_phases(const P&, real) const {}
  template <class P> BM_FN_MEMBER void set_slopes(const P&) const {}
  template <class O> BM_FN_MEMBER O with(O outside, real = 0) const { return outside; }
};
#endif

}  // namespace bmsim_kernel
