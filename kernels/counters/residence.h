// Residence time in two states of the unfolded x: lower since x was last at or below one level, upper since it was last
// at or above another. Before a level has been reached the state is neither.
#pragma once
#include "levels.h"

namespace bmsim_kernel {

class Residence : public Counter {
 public:
  typedef ResidenceValues Values;
  static constexpr bool LOOKS = true;

  BM_FN_MEMBER Residence(Trajectories& s, const Parameters& p, const Launch& launch)
      : Counter(s, p, launch), s_(s), p_(p), at_(levels_seen(p.residence, p)) {}

  BM_FN_MEMBER static void start(Trajectories& s, const Parameters& p, const Launch&, int l) {
    const double u = (double)seen_at_start(s, l, p);
    s.residence.stays[l] = u <= p.residence.low ? UP : u >= p.residence.high ? DOWN : UP | DOWN;
  }
  BM_FN_MEMBER void begin_block() {
    gate_.set_all(s_, at_.pair(p_),
                  [&](int l) BM_FN_LAMBDA { return s_.stage[l] < DONE ? waits_for(s_, l) : (uint32_t)0; });
  }
  BM_FN_MEMBER bool reached(const Seen<T>& u) const { return gate_.reached(u); }
  BM_FN_MEMBER bool reached_in(int g, const Seen<Part>& u) const { return gate_.reached_in(g, u); }
  BM_FN_MEMBER bool met(const T& from, const T& to) const { return gate_.met(from, to); }
  BM_FN_MEMBER void look(int l, real u0, Seen<real> u, real length, double end) {
    if (!gate_.reached(l, u)) return;
    change_state(l, gate_.above(l, u) ? DOWN : UP, gate_.reached_at(l, u0, u.at, length, end));
    gate_.set(s_, l, waits_for(s_, l), at_.pair(p_));
  }
  template <class F> BM_FN_MEMBER static void values(Trajectories& s, int l, bool diverged, F value) {
    BM_UNROLL for (int state = 0; state < 2; state++) value(Values::low_time + state) = s.residence_resided[state][l];
    const uint32_t ended = s.residence.stays[l] / 4, of_other = (ended + 1) / 2;  // in turns, last in the other state
    value(Values::low_left) = waits_for(s, l) == DOWN ? of_other : ended - of_other;
    value(Values::high_left) = waits_for(s, l) == DOWN ? ended - of_other : of_other;
    value(Values::since) = diverged ? not_a_number() : s.residence_since[l];
    value(Values::state) = waits_for(s, l);
  }

 private:
  BM_FN_MEMBER static uint32_t waits_for(Trajectories& s, int l) { return s.residence.stays[l] % 4; }
  BM_FN_MEMBER void change_state(int l, uint32_t now, double when) {
    uint32_t& stays = s_.residence.stays[l];
    const uint32_t before = waits_for(s_, l);
    uint32_t ended = stays / 4;
    if (before != (UP | DOWN) && when > p_.transient_steps) {
      const double since = apart(s_, l, AT_RESIDENCE_SINCE), begin = p_.transient_steps;
      const int resided = AT_RESIDENCE_RESIDED + (before == UP ? 0 : 1);
      set_apart(s_, l, resided, apart(s_, l, resided) + (when - (since > begin ? since : begin)));
      ended++;
    }
    set_apart(s_, l, AT_RESIDENCE_SINCE, when);
    stays = 4 * ended + now;
  }

  Trajectories& s_;
  const Parameters& p_;
  KeptLevels<RESIDENCE_LEVELS> at_;
  Gate<> gate_;
};

}  // namespace bmsim_kernel
