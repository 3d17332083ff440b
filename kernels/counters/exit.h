// The time at which a path meets a wall that absorbs (bridge.h), and which wall.
#pragma once
#include "bridge.h"

namespace bmsim_kernel {

class Exit : public Counter {
 public:
  typedef ExitValues Values;
  static constexpr bool LOOKS = true, TRIES = !DIFFUSES;  // near a wall every step counts

  BM_FN_MEMBER Exit(Trajectories& s, const Parameters& p, const Launch& launch)
      : Counter(s, p, launch), s_(s), p_(p), at_(levels_seen(p.exit, p, NearLevel::DEVIATIONS)) {}

  // A path that begins beyond a wall has left.
  BM_FN_MEMBER static void start(Trajectories& s, const Parameters& p, [[maybe_unused]] const Launch& launch, int l) {
    const double u = (double)seen_at_start(s, l, p);
    s.exit.passed[l] = u > p.exit.low && u < p.exit.high ? -(double)walls(p) : 0;
    if constexpr (DIFFUSES) s.exit.spared[l] = begin_waiting(launch, DRAW_EXIT, l);
  }
  BM_FN_MEMBER void begin_block() {
    near_.set_all(s_, at_.pair(p_),
                  [&](int l) BM_FN_LAMBDA { return s_.stage[l] < DONE && s_.exit.passed[l] < 0 ? walls(p_) : 0; });
  }
  BM_FN_MEMBER bool reached(const Seen<T>& u) const { return near_.reached(u); }
  BM_FN_MEMBER bool reached_in(int g, const Seen<Part>& u) const { return near_.reached_in(g, u); }
  BM_FN_MEMBER bool met(const T& from, const T& to) const { return near_.met(from, to); }
  BM_FN_MEMBER void look(int l, real u0, Seen<real> u, real length, double end) {
    if (!near_.reached(l, u)) return;
    if constexpr (!DIFFUSES) return leave(l, near_.above(l, u), near_.reached_at(l, u0, u.at, length, end));
    if (!passes(l, UP, u0, u, length, end)) passes(l, DOWN, u0, u, length, end);
  }
  template <class F> BM_FN_MEMBER static void values(Trajectories& s, int l, bool diverged, F value) {
    value(Values::time) = diverged ? not_a_number() : s.exit.passed[l];
    value(Values::above) = (double)s.exit.above[l];
  }
  BM_FN_MEMBER static bool finished(Trajectories& s, int l, double steps) {
    return s.exit.passed[l] >= 0 && s.exit.passed[l] <= steps;
  }

 private:
  // The walls that there are; those that are not are nowhere.
  BM_FN_MEMBER static uint32_t walls(const Parameters& p) {
    return (p.exit.low > -(double)NOWHERE ? DOWN : 0) | (p.exit.high < (double)NOWHERE ? UP : 0);
  }
  // Whether trajectory l meets this wall in a step, and then ends.
  BM_FN_MEMBER bool passes(int l, uint32_t which, real u0, const Seen<real>& u, real length, double end) {
    if (!(walls(p_) & which)) return false;
    double left;
    if (!meets(which == UP ? p_.exit.high : p_.exit.low, which, s_.exit.spared[l], periods_of(s_, l, at_.pair(p_)), u0,
               u, length, p_, left))
      return false;
    leave(l, which == UP, end - left);
    return true;
  }
  BM_FN_MEMBER void leave(int l, bool above, double when) {
    s_.exit.passed[l] = when;
    s_.exit.above[l] = above;
    near_.set(s_, l, 0, at_.pair(p_));
  }

  Trajectories& s_;
  const Parameters& p_;
  KeptLevels<0> at_;
  Gate<NearLevel> near_;
};

}  // namespace bmsim_kernel
