// The time at which a path meets a wall that absorbs (bridge.h), and which wall.
#pragma once
#include "bridge.h"

namespace bmsim_kernel {

class Exit : public Counter {
 public:
  typedef ExitValues Values;
  static constexpr bool LOOKS = true, TRIES = !DIFFUSES;  // near a wall every step counts

  BM_FN_MEMBER Exit(Trajectories& s, const Parameters& p, const Launch& launch)
      : Counter(s, p, launch), s_(s), p_(p), watch_(p.exit, p, AT_EXIT_SPARED) {}

  // A path that begins at or beyond a wall has left there.
  BM_FN_MEMBER static void start(Trajectories& s, const Parameters& p, [[maybe_unused]] const Launch& launch, int l) {
    const double u = (double)seen_at_start(s, l, p);
    s.exit.passed[l] = Watch::waiting_for(u > p.exit.low && u < p.exit.high ? walls(p) : 0);
    s.exit.above[l] = u >= p.exit.high;
    if constexpr (DIFFUSES) begin_waiting(launch, DRAW_EXIT, l, s.exit_spared[l], s.exit_square[l], s.exit_choice[l]);
  }
  BM_FN_MEMBER void begin_block() { watch_.begin_block(s_, p_, s_.exit.passed); }
  BM_FN_MEMBER bool reached(const Seen<T>& u) const { return watch_.reached(u); }
  BM_FN_MEMBER bool reached_in(int g, const Seen<Part>& u) const { return watch_.reached_in(g, u); }
  BM_FN_MEMBER bool met(const T& from, const T& to) const { return watch_.met(from, to); }
  BM_FN_MEMBER void look(int l, real u0, Seen<real> u, real length, double end) {
    if (!watch_.reached(l, u)) return;
    const uint32_t met = watch_.look(s_, l, s_.exit.passed[l], u0, u, length, end, p_);
    if (met != 0) s_.exit.above[l] = met == UP;
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

  Trajectories& s_;
  const Parameters& p_;
  Watch watch_;
};

}  // namespace bmsim_kernel
