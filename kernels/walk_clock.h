// Method exact with white noise: no steps, and no time. In a piecewise-linear V a particle is a Brownian motion of
// constant drift on every piece, and all events of its noises come after exponential waiting times; so do the ticks of
// a clock that is independent of everything. Where such a particle is when the next event comes is known: it walks from
// edge to edge of the pieces, with given probabilities, until the event comes on a piece, at a place with a known law.
// docs/exact-walk.md derives all of them. The clock of a trajectory counts ticks.
#pragma once
#include "increment_laws.h"
#include "random.h"
#include "untimed.h"

namespace bmsim_kernel {

typedef decltype(Parameters::walk) Walk;
constexpr int PIECES = Walk::pieces, STATES = Walk::states;
// Columns of its table; see core/compose/walk_tables.h.
enum : uint32_t {
  PLUS,
  MINUS,
  PER_PLUS,
  PER_MINUS,
  PER_COMPLEMENT,
  WIDTH_OF,
  EDGE,
  TO_RIGHT,
  TO_LEFT,
  EVENT_LEFT,
  PULL,
  PULL_AT_EDGE,
  CHANCE,
  PER_CHANCE = CHANCE + BM_EVENT_NOISES
};

// What a trajectory does. It is inside a piece; or at an edge, the left one of its piece; or an event comes on its
// piece, on the length next to the left or to the right end that it can have come from without having left the piece.
constexpr real INSIDE = 0, AT_EDGE = 1, FROM_LEFT = 2, FROM_RIGHT = 3;

// 1 - exp(-x) for x >= 0, without loss of many digits.
BM_FN T complement(const T& x) {
  const T small = x * horner(x, T((real)(-1.0 / 24)), (real)(1.0 / 6), (real)-0.5, (real)1.0);
  return select(x < (real)(SINGLE ? 0.01 : 0.0003), small, (real)1 - exp(-x));
}

class Stepper {
 public:
  BM_FN_MEMBER Stepper(Trajectories& s, const Parameters& p, const Launch& launch, Pools&)
      : s_(s), p_(p), launch_(launch), counters_(s, p, launch), columns_(p.walk.columns), state_(walk_state(s, p)) {
    untimed_.whole = T((real)0);
    const T at = load(s.walk_at);
    piece_ = floor((at - (real)1) * (real)0.25);
    mode_ = (at - (real)1) - piece_ * (real)4;
    along_ = load(s.walk_along);
    const auto begins = at == (real)0;
    if (any(begins)) enter(begins, load(s.position[0]));
  }
  BM_FN_MEMBER void save() {
    store(s_.walk_at, fma(piece_, (real)4, mode_ + (real)1));
    store(s_.walk_along, along_);
    Slot<real> u;
    store(u, place());
    for (int l = 0; l < LANES; l++)
      if (s_.stage[l] < DONE) s_.position[0][l] = u[l];
  }

  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    first_ = iteration;
    const T whole = untimed_.whole;
    untimed_.begin_block([&](int l) BM_FN_LAMBDA { return left_of(l); });
    untimed_.whole = whole;  // of where it has entered
    counters_.begin_block();
    const auto there = untimed_.left <= (real)0;  // a window that begins at once
    if (any(there)) pass_boundaries(there, place());
  }
  BM_FN_MEMBER void begin_run(int number) { run_ = number * RUN; }

  // A move from inside a piece, one from an edge, and one try to find the place of an event.
  BM_FN_MEMBER void step(const White<T>&, int i) {
    T draw[4];
    const uint64_t number = first_ + (uint64_t)(run_ + i);
    draw_numbers(launch_.seed, stream_increments(number), (uint32_t)number, launch_.trajectory, draw);
    const auto inside = mode_ == INSIDE;
    if (any(inside)) {
      leave(inside, draw[0]);
      if (Counters::LOOKS) look();
    }
    const auto at_edge = mode_ == AT_EDGE;
    if (any(at_edge)) leave_edge(at_edge, draw[1]);
    const auto lands = mode_ >= FROM_LEFT;
    if (any(lands)) land(lands, draw[2], draw[3]);
    if (Counters::LOOKS) look();
  }

  // False when every trajectory of the group is done.
  BM_FN_MEMBER bool end_block() {
    counters_.end_block();
    return untimed_.end_block(s_, along_);
  }

 private:
  static constexpr real MANY = 65536;  // ticks, more than a block has

  // Ticks to the next boundary. After its end a trajectory runs on, but nothing of this is kept.
  BM_FN_MEMBER real left_of(int l) {
    if (s_.stage[l] >= DONE) return ENDLESS;
    const double at = middle_is_next(l) ? window_of(p_).middle : to_boundary(s_, p_, launch_, l, 0);
    return minimum((real)(at + s_.lag[l]), MANY);
  }
  // Whether trajectory l comes to the middle of its window before the next boundary.
  BM_FN_MEMBER bool middle_is_next(int l) {
    return BM_HALVES && s_.stage[l] == MEASURED && !middle_is_kept(s_, l) &&
           window_of(p_).middle < to_boundary(s_, p_, launch_, l, 0);
  }
  // Trajectory l is at u, and at a boundary or at the middle of its window.
  BM_FN_MEMBER void stand(int l, real u) {
    if (BM_HALVES && middle_is_next(l)) {
      const double middle = window_of(p_).middle;
      keep_middle(s_, l, 0, (double)u + s_.periods[0][l]);
      keep_middle_time(s_, l, middle);
      s_.lag[l] = -middle;
      return;
    }
    stand_at_boundary(s_, p_, launch_, l, u);
  }
  // From inside: out by the right edge; by the left one; or to an event on the left or the right of the place.
  template <class M> BM_FN_MEMBER void leave(const M& inside, const T& draw) {
    const Rows row = rows();
    const T plus = columns_(PLUS, row), minus = columns_(MINUS, row);
    const T z = along_, y = maximum(columns_(WIDTH_OF, row) - z, (real)0);
    const T a = exp(-plus * z), b = exp(-minus * y), minus_z = complement(minus * z), plus_y = complement(plus * y);
    const T over_z = fma(a, minus_z, (real)1 - a), over_y = fma(b, plus_y, (real)1 - b);  // 1 - exp(-(p + m) ..)
    const T share = columns_(PER_COMPLEMENT, row), goes_right = b * over_z * share;
    const T leaves = fma(a * over_y, share, goes_right);
    const T per_plus = columns_(PER_PLUS, row), per_minus = columns_(PER_MINUS, row);
    const T on_left = fma((real)1 - a, per_plus, a * minus_z * -per_minus) * over_y;
    const T on_right = fma((real)1 - b, per_minus, b * plus_y * -per_plus) * over_z;
    const auto right = draw < goes_right, leaving = draw < leaves,
               left = (draw - leaves) * (on_left + on_right) < ((real)1 - leaves) * on_left;
    mode_ = select(inside, select(leaving, AT_EDGE, select(left, FROM_LEFT, T(FROM_RIGHT))), mode_);
    along_ = select(inside && !left, y, along_);
    pull(select(inside, columns_(PULL, row) * ((real)1 - leaves), T((real)0)));
    move(select(inside && right, (real)1, T((real)0)));
  }
  // From an edge: to the next one on the right; on the left; or to an event on the piece on the left, or on the right.
  template <class M> BM_FN_MEMBER void leave_edge(const M& at_edge, const T& draw) {
    const Rows row = rows();
    const auto right = draw < columns_(TO_RIGHT, row), leaving = draw < columns_(TO_LEFT, row),
               left = draw < columns_(EVENT_LEFT, row);
    mode_ = select(at_edge && !leaving, select(left, FROM_LEFT, T(FROM_RIGHT)), mode_);
    pull(select(at_edge, columns_(PULL_AT_EDGE, row), T((real)0)));
    move(select(at_edge && right, (real)1, select(at_edge && left, T((real)-1), (real)0)));
    along_ = select(at_edge && !leaving, columns_(WIDTH_OF, rows()), along_);
  }
  // Tries a place for the event, with the density of excursions that end at one end of a length.
  template <class M> BM_FN_MEMBER void land(const M& lands, const T& A, const T& draw) {
    const Rows row = rows();
    const T plus = columns_(PLUS, row), minus = columns_(MINUS, row);
    const auto from_left = mode_ == FROM_LEFT;
    const T reach = select(from_left, plus, minus) * along_, fell = exp(-reach);
    // density exp(reach v / along_) on (0, along_)
    const T B = (real)1 - A, bent = fma(fma(B - A, reach * (real)(1.0 / 3), (real)1), B * reach * (real)0.5, (real)1);
    const T slope = select(from_left, columns_(PER_PLUS, row), columns_(PER_MINUS, row));
    const T far = maximum(fma(log(maximum(fma(A, (real)1 - fell, fell), TINY)), slope, along_), (real)0);
    const T v = select(reach < (real)0.03, A * along_ * bent, far), chance = (real)1 - exp(-(plus + minus) * v);
    const auto found = lands && draw < chance;
    if (any(found)) happen(found, row, select(from_left, v, columns_(WIDTH_OF, row) - v), draw / maximum(chance, TINY));
  }
  // What V adds to x / L in a move, on average over the moves that could be made.
  BM_FN_MEMBER void pull(const T& length) {
    if constexpr (BM_PUSHED) untimed_.push = untimed_.push - length;
  }
  BM_FN_MEMBER void move(const T& forward) {
    const T to = piece_ + forward;
    const T round = select(to >= (real)PIECES, (real)1, select(to < (real)0, T((real)-1), (real)0));
    piece_ = fma(-round, (real)PIECES, to);
    untimed_.whole = untimed_.whole + round;
  }
  // Trajectories of the mask are at u, anywhere: folds u and finds its piece.
  template <class M> BM_FN_MEMBER void enter(const M& mask, T u) {
    const Parameters& p = p_;
    const T whole = rint(u - (p.walk.edge[0] + (real)0.5));
    u = u - whole;
    T piece = T((real)0);
    BM_NO_UNROLL for (int j = 1; j < PIECES; j++) piece = select(u >= p.walk.edge[(uint32_t)j], (real)j, piece);
    untimed_.whole = select(mask, untimed_.whole + whole, untimed_.whole);
    piece_ = select(mask, piece, piece_);
    along_ = select(mask, maximum(u - columns_(EDGE, rows_of(piece)), (real)0), along_);
    mode_ = select(mask, INSIDE, mode_);
  }
  BM_FN_MEMBER Rows rows() const { return rows_of(STATES > 1 ? fma(state_, (real)PIECES, piece_) : piece_); }
  BM_FN_MEMBER T place() const { return columns_(EDGE, rows()) + along_; }
  // An event or a tick of the clock comes for the trajectories of the mask, at z on their pieces.
  template <class M> BM_FN_MEMBER void happen(const M& found, const Rows& on, const T& z, const T& which) {
    const Parameters& p = p_;
    T u = columns_(EDGE, on) + z, before = T((real)0);
    auto open = found;
    bool changes = false;
    each_event_noise([&](auto noise, int n) BM_FN_LAMBDA {
      const T chance = columns_(CHANCE + (uint32_t)n, on);
      const auto fires = open && which < chance;
      open = open && !fires;
      if (any(fires)) {
        changes = true;
        const T part = (which - before) * columns_(PER_CHANCE + (uint32_t)n, on);  // uniform
        const T e = -log(maximum(part, TINY));
        u = select(fires, fma(noise.event_all(s_, p, fires, e), p.variable[0].per_kick, u), u);
      }
      before = chance;
    });
    enter(found, u);
    if (STATES > 1 && changes) state_ = walk_state(s_, p);
    if (!any(open)) return;
    untimed_.left = select(open, untimed_.left - (real)1, untimed_.left);
    untimed_.spent = select(open, untimed_.spent + (real)1, untimed_.spent);
    const auto there = open && untimed_.left <= (real)0;
    if (any(there)) pass_boundaries(there, place());
  }
  template <class M> BM_FN_MEMBER void pass_boundaries(const M& there, const T& u) {
    untimed_.pass_boundaries(
        s_, there, u, [&](int l, real at) BM_FN_LAMBDA { stand(l, at); },
        [&](int l) BM_FN_LAMBDA { return left_of(l); });
    counters_.pass_boundary(s_);
    if (Counters::LOOKS) counters_.begin_block();
  }
  // Counters see no position but the number of the edge that a trajectory is at or has passed (seen.h).
  BM_FN_MEMBER void look() {
    const T seen = seen_of_walk(untimed_.whole, piece_, select(mode_ == AT_EDGE, (real)0, T((real)1)));
    if (!counters_.reached(seen)) return;
    Slot<real> at, spent;
    store(at, seen);
    store(spent, untimed_.spent);
    for (int l = 0; l < LANES; l++)
      if (s_.stage[l] < DONE) counters_.look(l, at[l], at[l], 0, (double)spent[l] - s_.lag[l]);
  }

  Trajectories& s_;
  const Parameters& p_;
  const Launch& launch_;
  Counters counters_;
  Columns<CHANCE + 2 * BM_EVENT_NOISES, STATES * PIECES> columns_;
  uint64_t first_ = 0;      // number of this block's first iteration
  int run_ = 0;             // iteration of the block with which the run begins
  T state_, piece_, mode_;  // of all noises together; the piece; what the trajectory does
  T along_;                 // place on the piece, from its left edge; or the length that the event comes in
  Untimed untimed_;         // its steps are ticks
};

}  // namespace bmsim_kernel
