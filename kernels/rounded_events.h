// Events of the common clock: algorithms 3 and 4 of the founding paper, for method paper. Waiting times are rounded to
// whole steps and counted down. The event comes one step after the countdown has reached zero.
#pragma once
#include "events.h"

namespace bmsim_kernel {

#if BM_EVENT_NOISES
class RoundedEvents {
 public:
  BM_FN_MEMBER RoundedEvents(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools)
      : s_(s), p_(p), events_(s, p, launch, pools) {
    for (int n = 0; n < BM_EVENT_NOISES; n++) countdown_[n] = load(s.due[n]);
    events_.resume();
  }
  BM_FN_MEMBER void save() {
    for (int n = 0; n < BM_EVENT_NOISES; n++) store(s_.due[n], countdown_[n]);
  }
  BM_FN_MEMBER void top_up() { events_.top_up(); }
  // Returns the jumps of this step, and sets the drift after them.
  BM_FN_MEMBER T count_down(Drift& drift) {
    T jump = T((real)0);
    each_event_noise([&](auto noise, int n) {
      const auto fires = countdown_[n] <= (real)0;
      countdown_[n] = countdown_[n] - (real)1;
      if (!any(fires)) return;
      for (int g = 0; g < PARTS; g++)
        each_lane(part(fires, g), [&](int i) {
          const int l = g * WIDTH + i;
          Part x = part(jump, g), left = part(countdown_[n], g);
          real amplitude, wait;
          events_.draw(n, noise.component, l, amplitude, wait);
          const Events::Event event = events_.let_act(noise, l, amplitude, wait);
          set_lane(x, i, get_lane(x, i) + event.jump * p_.variable[0].per_kick);
          set_lane(left, i, rint(event.wait));
          set_part(jump, g, x);
          set_part(countdown_[n], g, left);
        });
      drift = load_drift(s_, p_);
    });
    return jump;
  }

 private:
  Trajectories& s_;
  const Parameters& p_;
  Events events_;
  T countdown_[BM_EVENT_NOISES];
};
#else
struct RoundedEvents {
  BM_FN_MEMBER RoundedEvents(Trajectories&, const Parameters&, const Launch&, Pools&) {}
  BM_FN_MEMBER void save() {}
  BM_FN_MEMBER void top_up() {}
  BM_FN_MEMBER T count_down(Drift&) { return T((real)0); }
};
#endif

}  // namespace bmsim_kernel
