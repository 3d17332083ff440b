// Events that treat a group of trajectories as one.
#include <bmsim/plugin.h>

template <class T, class S, class P> BM_FN T waiting(const S&, const P&, T e) { return e; }
template <class T, class S, class P> BM_FN T event(S& s, const P&, T) {
  const bool up = any(s.up > T(0));
  s.up = T(up ? 0 : 1);
  return T(up ? -1 : 1);
}
template <class T, class S, class P> BM_FN void start(S& s, const P&, T u, T) { s.up = select(u < T(0.5), T(0), T(1)); }

#ifdef BM_HOST
const char* const states[] = {"up"};
struct Values {};

BM_PLUGIN = {BM_HEADER(BM_NOISE, Values),
             .flags = BM_EVENTS | BM_START,
             .id = "any_event",
             .version = "1.0",
             .summary = "jumps there and back",
             .equation = "x jumps by +-1 in turn",
             .reference = "",
             BM_LIST(state),
             .time_scale = BM_VALUE(1),
             BM_SOURCE};
#endif
