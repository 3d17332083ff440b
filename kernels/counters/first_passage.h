// The time at which the unfolded x first reaches a level, or leaves an interval.
#pragma once
#include "bridge.h"

namespace bmsim_kernel {

class FirstPassage : public Counter {
 public:
  typedef FirstPassageValues Values;
  static constexpr bool LOOKS = true;

  BM_FN_MEMBER FirstPassage(Trajectories& s, const Parameters& p, const Launch& launch)
      : Counter(s, p, launch), s_(s), p_(p), watch_(p.first_passage, p, AT_FIRST_PASSAGE_SPARED) {}

  // A single level is reached from the side on which the path begins. A path that begins outside an interval has left
  // it.
  BM_FN_MEMBER static void start(Trajectories& s, const Parameters& p, [[maybe_unused]] const Launch& launch, int l) {
    const double u = (double)seen_at_start(s, l, p);
    const bool one = p.first_passage.low == p.first_passage.high;
    const bool below = u < p.first_passage.high;
    const bool above = u > p.first_passage.low;
    const uint32_t of_one = below ? UP : above ? DOWN : 0;
    s.first_passage.passed[l] = Watch::waiting_for(one ? of_one : below && above ? UP | DOWN : 0);
    if constexpr (DIFFUSES)
      begin_waiting(launch, DRAW_PASSAGE, l, s.first_passage_spared[l], s.first_passage_square[l],
                    s.first_passage_choice[l]);
  }
  BM_FN_MEMBER void begin_block() { watch_.begin_block(s_, p_, s_.first_passage.passed); }
  BM_FN_MEMBER bool reached(const Seen<T>& u) const { return watch_.reached(u); }
  BM_FN_MEMBER bool reached_in(int g, const Seen<Part>& u) const { return watch_.reached_in(g, u); }
  BM_FN_MEMBER bool met(const T& from, const T& to) const { return watch_.met(from, to); }
  BM_FN_MEMBER void look(int l, real u0, Seen<real> u, real length, double end) {
    if (!watch_.reached(l, u)) return;
    watch_.look(s_, l, s_.first_passage.passed[l], u0, u, length, end, p_);
  }
  template <class F> BM_FN_MEMBER static void values(Trajectories& s, int l, bool diverged, F value) {
    value(Values::time) = diverged ? not_a_number() : s.first_passage.passed[l];
  }

 private:
  Trajectories& s_;
  const Parameters& p_;
  Watch watch_;
};

}  // namespace bmsim_kernel
