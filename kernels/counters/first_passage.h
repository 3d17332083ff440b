// The time at which the unfolded x first reaches a level, or leaves an interval.
#pragma once
#include "bridge.h"

namespace bmsim_kernel {

class FirstPassage : public Counter {
 public:
  typedef FirstPassageValues Values;
  static constexpr bool LOOKS = true;

  BM_FN_MEMBER FirstPassage(Trajectories& s, const Parameters& p, const Launch& launch)
      : Counter(s, p, launch),
        s_(s),
        p_(p),
        launch_(launch),
        at_(levels_seen(p.first_passage, p, NearLevel::DEVIATIONS)) {}

  // A single level is reached from the side on which the path begins. A path that begins outside an interval has left
  // it.
  BM_FN_MEMBER static void start(Trajectories& s, const Parameters& p, const Launch&, int l) {
    const double u = (double)seen_at_start(s, l, p);
    const bool one = p.first_passage.low == p.first_passage.high;
    const bool below = u < p.first_passage.high;
    const bool above = u > p.first_passage.low;
    s.first_passage.passed[l] = one              ? (below   ? -(double)UP
                                                    : above ? -(double)DOWN
                                                            : 0)
                                : below && above ? -(double)(UP | DOWN)
                                                 : 0;
  }
  // A trajectory at its end reaches nothing any more.
  BM_FN_MEMBER void begin_block() {
    gate_.set_all(s_, at_.pair(p_),
                  [&](int l) BM_FN_LAMBDA { return s_.stage[l] < DONE ? waits_for(l) : (uint32_t)0; });
  }
  BM_FN_MEMBER bool reached(const Seen<T>& u) const { return gate_.reached(u); }
  BM_FN_MEMBER bool reached_in(int g, const Seen<Part>& u) const { return gate_.reached_in(g, u); }
  BM_FN_MEMBER bool met(const T& from, const T& to) const { return gate_.met(from, to); }
  BM_FN_MEMBER void look(int l, real u0, Seen<real> u, real length, double end) {
    if (!gate_.reached(l, u)) return;
    if constexpr (!DIFFUSES) return pass(l, gate_.reached_at(l, u0, u.at, length, end));
    real spared = (real)apart(s_, l, AT_FIRST_PASSAGE_SPARED);
    if (spared == 0) spared = begin_waiting(launch_, DRAW_PASSAGE, l);
    const double periods = periods_of(s_, l, at_.pair(p_));
    double left;
    for (uint32_t which = UP; which <= DOWN; which++) {
      if (!(waits_for(l) & which)) continue;
      const double level = which == UP ? p_.first_passage.high : p_.first_passage.low;
      if (meets(level, which, spared, periods, u0, u, length, p_, left)) return pass(l, end - left);
    }
    set_apart(s_, l, AT_FIRST_PASSAGE_SPARED, spared);
  }
  template <class F> BM_FN_MEMBER static void values(Trajectories& s, int l, bool diverged, F value) {
    value(Values::time) = diverged ? not_a_number() : s.first_passage.passed[l];
  }

 private:
  BM_FN_MEMBER uint32_t waits_for(int l) const {
    const double passed = s_.first_passage.passed[l];
    return passed < 0 ? (uint32_t)(-(int32_t)passed) : 0;
  }
  BM_FN_MEMBER void pass(int l, double when) {
    s_.first_passage.passed[l] = when;
    gate_.set(s_, l, 0, at_.pair(p_));
  }

  Trajectories& s_;
  const Parameters& p_;
  const Launch& launch_;
  KeptLevels<0> at_;
  Gate<NearLevel> gate_;
};

}  // namespace bmsim_kernel
