// Jumps of mean fields within a step, where paths have events at zeros (crossings.h).
//
// All paths of a system make the same steps. A step is made with fields that change as they do between events. Then
// the paths meet, and learn by how much the events of all have changed the fields, and when: this is taken for one jump
// at the mean time of the events, which count by what they change. It moves every path for the rest of the step. A path
// that this takes past a zero has its event at the beginning of the next step.
//
// The error is of second order in the step, whether all paths have an event at once or many have theirs at any time.
// A path's own event still comes without those of others in the same step.
#pragma once
#include "fields.h"

namespace bmsim_kernel {

#if BM_FIELDS && BM_CROSSINGS
// Where the numbers that are averaged over a system are, besides the fields: their jumps; the sizes of these, all
// together; and the same times the part of the step that was left.
constexpr int JUMP_AT = BM_FIELDS, SIZE_AT = 2 * BM_FIELDS, REST_AT = 2 * BM_FIELDS + 1;

// What the events of a step change, by trajectory.
class Jumps {
 public:
  BM_FN_MEMBER Jumps() { clear(); }
  // At the beginning of a step, at this time in steps.
  BM_FN_MEMBER void begin_step(double time) {
    if (some_) clear();
    begin_ = time;
  }
  // An event took trajectory l from one place to another, at this time in steps.
  BM_FN_MEMBER void add(int l, const Place& before, const Place& after, double time, const Parameters& p) {
    real from[BM_FIELDS], to[BM_FIELDS], size = 0;
    field_values(before.u, before.v, p, from);
    field_values(after.u, after.v, p, to);
    last_[l] = maximum((real)1 - (real)(time - begin_), (real)0);
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) {
      change_[k][l] += to[k] - from[k];
      size += absolute(to[k] - from[k]);
    }
    size_[l] += size;
    rest_[l] += size * last_[l];
    some_ = true;
  }
  // For the average over the system.
  BM_FN_MEMBER void put(T (&values)[AVERAGED]) const {
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) values[JUMP_AT + k] = load(change_[k]);
    values[SIZE_AT] = load(size_);
    values[REST_AT] = load(rest_);
  }
  BM_FN_MEMBER bool some() const { return some_; }
  // What was left of the step after the last event of each trajectory: all where none came.
  BM_FN_MEMBER T last() const { return load(last_); }

 private:
  BM_FN_MEMBER void clear() {
    for (int l = 0; l < LANES; l++) {
      BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) change_[k][l] = 0;
      size_[l] = rest_[l] = 0;
      last_[l] = 1;
    }
    some_ = false;
  }

  Slot<real> change_[BM_FIELDS], size_, rest_, last_;
  double begin_ = 0;
  bool some_ = false;
};

// What is taken for one jump of the fields.
struct Jump {
  real of[BM_FIELDS], rest;  // rest: of the step, after it
  BM_FN_MEMBER explicit Jump(const real (&mean)[AVERAGED]) : rest(mean[REST_AT] / mean[SIZE_AT]) {
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) of[k] = mean[JUMP_AT + k];
  }
  BM_FN_MEMBER static bool any(const real (&mean)[AVERAGED]) { return mean[SIZE_AT] > 0; }
};
#else
struct Jumps {
  BM_FN_MEMBER void begin_step(double) {}
  BM_FN_MEMBER void add(int, const Place&, const Place&, double, const Parameters&) {}
  template <class V> BM_FN_MEMBER void put(const V&) const {}
  BM_FN_MEMBER bool some() const { return false; }
  BM_FN_MEMBER T last() const { return T((real)1); }
};
struct Jump {
  real of[BM_FIELDS > 0 ? BM_FIELDS : 1], rest;
  template <class M> BM_FN_MEMBER explicit Jump(const M&) {}
  template <class M> BM_FN_MEMBER static bool any(const M&) { return false; }
};
#endif

}  // namespace bmsim_kernel
