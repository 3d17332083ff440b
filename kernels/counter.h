// Counters: quantities counted along every path for an observable, one class for each file of counters/. A counter
// defines those of the functions below that it needs. A kernel has the counters that its run asks for, and calls all of
// them. The host lists the parameters, the state and the values of a counter (core/observe/kinds/). A counter Example
// finds them as p.example, s.example and ExampleValues.
#pragma once
#include "seen.h"

namespace bmsim_kernel {

// The default functions of a counter: they do nothing.
struct Counter {
  struct Values {
    enum : uint32_t { count };
  };
  // Whether all positions are examined, see reached(). Method exact then stops at every edge of a piece.
  static constexpr bool LOOKS = false;
  // Whether steps take a tangent vector along, see tangent.h.
  static constexpr bool LINEARISES = false;
  // Whether steps may be tried first, see met(). Of no importance unless positions are examined.
  static constexpr bool TRIES = true;
  // Whether resume() is to be called.
  static constexpr bool RESUMES = false;

  BM_FN_MEMBER Counter(Trajectories&, const Parameters&, const Launch&) {}
  // At t = 0; and when the window of trajectory l begins, which is lane i of z.
  BM_FN_MEMBER static void start(Trajectories&, const Parameters&, const Launch&, int) {}
  template <class X> BM_FN_MEMBER static void begin_window(Motion<X>&, Trajectories&, int, int) {}
  // The same at the middle of the window, where its halves are compared (BM_HALVES).
  template <class X> BM_FN_MEMBER static void pass_middle(const Motion<X>&, Trajectories&, int, int) {}
  // At the beginning of a block without events, with the outside influences there.
  template <class X, class O> BM_FN_MEMBER static void resume(Motion<X>&, const O&, const Parameters&) {}
  // Before and after a step of this length, with the outside influences at its beginning and end.
  template <class X, class L, class O>
  BM_FN_MEMBER static void before_step(Motion<X>&, const L&, const O&, const O&, const Parameters&) {}
  template <class X, class L, class O>
  BM_FN_MEMBER static void after_step(Motion<X>&, const L&, const O&, const Parameters&) {}
  // Between these, with aboba: the force on variable i in the middle of the step, from all but friction and white
  // noise.
  template <class X> BM_FN_MEMBER static void push(Motion<X>&, int, const X&) {}
  // On the common clock, at a step where the window begins, or something ends, with the outside influences a step ago
  // and there.
  template <class X, class O> BM_FN_MEMBER static void arrive(Motion<X>&, const O&, const O&) {}
  // At the end of a block, for part g of the trajectories.
  BM_FN_MEMBER static void settle(Motion<T>&, Trajectories&, int) {}
  // Trajectory l went from one place to another by an event of the script, at this time in steps.
  BM_FN_MEMBER static void event(Trajectories&, const Launch&, int, int, const Place&, const Place&, double,
                                 const Parameters&) {}
  // Sets the values of trajectory l at the end of the run: value(Values::...) = ...
  template <class F> BM_FN_MEMBER static void values(Trajectories&, int, bool, F) {}

  // Whether nothing is left to count of trajectory l after this time, in steps. Asked for where paths end at walls.
  BM_FN_MEMBER static bool finished(Trajectories&, int, double) { return true; }

  // When positions have been folded, or a trajectory has come to its end.
  BM_FN_MEMBER static void begin_block() {}
  // After a step to u: whether look() has to be called for at least one trajectory.
  BM_FN_MEMBER static bool reached(const Seen<T>&) { return false; }
  // Then: whether that may be one of part g.
  BM_FN_MEMBER static bool reached_in(int, const Seen<Part>&) { return false; }
  // A GPU makes a run of steps without this, and asks then, with the lowest and the highest position in it, whether
  // reached() would have been true at some step: only then it makes the run again, with reached() and look().
  BM_FN_MEMBER static bool met(const T&, const T&) { return false; }
  // Trajectory l went from u0 to u in `length` steps, and arrived at `end` on its clock, in steps.
  BM_FN_MEMBER static void look(int, real, Seen<real>, real, double) {}

  // Method exact: after windows may have begun or ended; after a motion with the slowness of every piece, over `whole`
  // periods plus from one position to another, followed by `rest` steps at rest there; at the end of a block.
  BM_FN_MEMBER static void pass_boundary(Trajectories&) {}
  template <class S> BM_FN_MEMBER static void travel(const S*, const T&, const T&, const T&, const T&) {}
  BM_FN_MEMBER static void end_block() {}
};

template <class... Each> struct CounterList : Each... {
  static constexpr bool LOOKS = (Each::LOOKS || ...), LINEARISES = (Each::LINEARISES || ...);
  static constexpr bool TRIES = LOOKS && (Each::TRIES && ...);
  static constexpr bool RESUMES = (Each::RESUMES || ...);
  static constexpr uint32_t VALUES = (0 + ... + (uint32_t)Each::Values::count);

  BM_FN_MEMBER CounterList([[maybe_unused]] Trajectories& s, [[maybe_unused]] const Parameters& p,
                           [[maybe_unused]] const Launch& launch)
      : Each(s, p, launch)... {}
  BM_FN_MEMBER static void start([[maybe_unused]] Trajectories& s, [[maybe_unused]] const Parameters& p,
                                 [[maybe_unused]] const Launch& launch, [[maybe_unused]] int l) {
    (Each::start(s, p, launch, l), ...);
  }
  template <class X>
  BM_FN_MEMBER static void begin_window([[maybe_unused]] Motion<X>& z, [[maybe_unused]] Trajectories& s,
                                        [[maybe_unused]] int l, [[maybe_unused]] int i) {
    (Each::begin_window(z, s, l, i), ...);
  }
  template <class X>
  BM_FN_MEMBER static void pass_middle([[maybe_unused]] const Motion<X>& z, [[maybe_unused]] Trajectories& s,
                                       [[maybe_unused]] int l, [[maybe_unused]] int i) {
    (Each::pass_middle(z, s, l, i), ...);
  }
  template <class X, class O>
  BM_FN_MEMBER static void resume([[maybe_unused]] Motion<X>& z, [[maybe_unused]] const O& outside,
                                  [[maybe_unused]] const Parameters& p) {
    (Each::resume(z, outside, p), ...);
  }
  template <class X, class L, class O>
  BM_FN_MEMBER static void before_step([[maybe_unused]] Motion<X>& z, [[maybe_unused]] const L& length,
                                       [[maybe_unused]] const O& before, [[maybe_unused]] const O& after,
                                       [[maybe_unused]] const Parameters& p) {
    (Each::before_step(z, length, before, after, p), ...);
  }
  template <class X, class L, class O>
  BM_FN_MEMBER static void after_step([[maybe_unused]] Motion<X>& z, [[maybe_unused]] const L& length,
                                      [[maybe_unused]] const O& after, [[maybe_unused]] const Parameters& p) {
    (Each::after_step(z, length, after, p), ...);
  }
  template <class X>
  BM_FN_MEMBER static void push([[maybe_unused]] Motion<X>& z, [[maybe_unused]] int i,
                                [[maybe_unused]] const X& force) {
    (Each::push(z, i, force), ...);
  }
  template <class X, class O>
  BM_FN_MEMBER static void arrive([[maybe_unused]] Motion<X>& z, [[maybe_unused]] const O& before,
                                  [[maybe_unused]] const O& here) {
    (Each::arrive(z, before, here), ...);
  }
  BM_FN_MEMBER static void settle([[maybe_unused]] Motion<T>& z, [[maybe_unused]] Trajectories& s,
                                  [[maybe_unused]] int g) {
    (Each::settle(z, s, g), ...);
  }
  BM_FN_MEMBER static void event([[maybe_unused]] Trajectories& s, [[maybe_unused]] const Launch& launch,
                                 [[maybe_unused]] int l, [[maybe_unused]] int number,
                                 [[maybe_unused]] const Place& before, [[maybe_unused]] const Place& after,
                                 [[maybe_unused]] double time, [[maybe_unused]] const Parameters& p) {
    (Each::event(s, launch, l, number, before, after, time, p), ...);
  }
  // value(i): value i of all counters together.
  template <class F>
  BM_FN_MEMBER static void values([[maybe_unused]] Trajectories& s, [[maybe_unused]] int l,
                                  [[maybe_unused]] bool diverged, [[maybe_unused]] F value) {
    [[maybe_unused]] uint32_t first = 0;
    ((Each::values(s, l, diverged, [&](uint32_t i) -> double& { return value(first + i); }),
      first += Each::Values::count),
     ...);
  }
  BM_FN_MEMBER static bool finished([[maybe_unused]] Trajectories& s, [[maybe_unused]] int l,
                                    [[maybe_unused]] double steps = NEVER) {
    return (Each::finished(s, l, steps) && ...);
  }
  BM_FN_MEMBER void begin_block() { (Each::begin_block(), ...); }
  BM_FN_MEMBER bool reached([[maybe_unused]] const Seen<T>& u) {
    bool any_of_them = false;
    ((any_of_them = Each::reached(u) || any_of_them), ...);
    return any_of_them;
  }
  BM_FN_MEMBER bool reached_in([[maybe_unused]] int g, [[maybe_unused]] const Seen<Part>& u) const {
    return (Each::reached_in(g, u) || ... || false);
  }
  BM_FN_MEMBER bool met([[maybe_unused]] const T& low, [[maybe_unused]] const T& high) const {
    return (Each::met(low, high) || ... || false);
  }
  BM_FN_MEMBER void look([[maybe_unused]] int l, [[maybe_unused]] real u0, [[maybe_unused]] Seen<real> u,
                         [[maybe_unused]] real length, [[maybe_unused]] double end) {
    (Each::look(l, u0, u, length, end), ...);
  }
  BM_FN_MEMBER void pass_boundary([[maybe_unused]] Trajectories& s) { (Each::pass_boundary(s), ...); }
  template <class S>
  BM_FN_MEMBER void travel([[maybe_unused]] const S* slowness, [[maybe_unused]] const T& from,
                           [[maybe_unused]] const T& to, [[maybe_unused]] const T& whole,
                           [[maybe_unused]] const T& rest) {
    (Each::travel(slowness, from, to, whole, rest), ...);
  }
  BM_FN_MEMBER void end_block() { (Each::end_block(), ...); }
};

// What counters have still to see of a step: from where, and how many steps. Of what an event has divided, and of steps
// that ended early, they have seen the parts.
template <class X> struct Unseen { X from, steps; };
BM_FN Unseen<Part> part_of(const Unseen<T>& all, int g) { return {part(all.from, g), part(all.steps, g)}; }
BM_FN void set_part_of(Unseen<T>& all, int g, const Unseen<Part>& one) {
  set_part(all.from, g, one.from);
  set_part(all.steps, g, one.steps);
}

template <class C>
BM_RARE void look_at_lanes(C& counters, const T& before, const Seen<T>& after, const T& length, Slot<double>& ends) {
  Slot<real> from, steps;
  SeenSlots to(after);
  store(from, before);
  store(steps, length);
  for (int g = 0; g < PARTS; g++) {
    if (PARTS > 1 && !counters.reached_in(g, part(after, g))) continue;
    for (int l = g * WIDTH; l < (g + 1) * WIDTH; l++) counters.look(l, from[l], to[l], steps[l], ends[l]);
  }
}
// Calls look() for all trajectories of a group after a step of this length, 0 for those that have been looked at;
// clock(l): time of trajectory l, in steps. It gives copies away: a stepper to which a function has a reference would
// be written to memory at every step.
template <class C, class F>
BM_FN void look_at_all(C& counters, const T& before, const Seen<T>& after, const T& length, F clock) {
  C copy = counters;
  const T from = before, steps = length;
  const Seen<T> to = after;
  Slot<double> ends;
  for (int l = 0; l < LANES; l++) ends[l] = clock(l);
  look_at_lanes(copy, from, to, steps, ends);
  copy_bytes(counters, copy);
}

}  // namespace bmsim_kernel
