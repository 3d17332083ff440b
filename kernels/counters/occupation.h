// Time that trajectories spend in bins of x / L modulo 1 within the window, exactly, for method exact. The time that
// the motion from u to u' spends in a bin is the difference of two functions of the bin, one of u and one of u'. Each
// needs one cell (the intersection of the bin around it with a piece) and whole pieces. The cost is therefore the same
// however many bins are crossed. A cell has two numbers, from which the host finds the times
// (observe/kinds/density.cc). They are whole multiples of a small time, so that sums do not depend on their order.
#pragma once
#include "counter.h"

namespace bmsim_kernel {

class Occupation : public Counter {
 public:
  typedef OccupationValues Values;
  BM_FN_MEMBER Occupation(Trajectories& s, const Parameters& p, const Launch& launch)
      : Counter(s, p, launch), p_(p), o_(p.occupation) {
    const uint64_t paths = (uint64_t)p.paths;
    for (int l = 0; l < LANES; l++) {
      const uint64_t path = launch.path + (uint64_t)l, group = ((path + 1) * p.occupation.path_groups - 1) / paths;
      exists_[l] = path < paths;
      sums_[l] = launch.sums + group * (2 * p.occupation.cells + PIECES);
    }
    BM_UNROLL for (int j = 0; j < PIECES; j++) passes_[j] = T((real)0);
    pass_boundary(s);
  }
  // The windows of some trajectories may have begun or ended.
  BM_FN_MEMBER void pass_boundary(Trajectories& s) {
    for (int l = 0; l < LANES; l++) counts_[l] = exists_[l] && s.stage[l] == MEASURED ? 1 : 0;
  }

  template <class S>
  BM_FN_MEMBER void travel(const S* slowness, const T& from, const T& to, const T& whole, const T& rest) {
    const T zero = T((real)0), one = load(counts_);
    T slow[2] = {T(slowness[0]), T(slowness[0])}, cell[2] = {T(o_.cell_shift[0]), T(o_.cell_shift[0])};
    BM_UNROLL for (int j = 1; j < PIECES; j++) {
      const auto left = from >= p_.piece_edge[j], arrived = to >= p_.piece_edge[j];
      passes_[j - 1] =
          passes_[j - 1] + slowness[j - 1] * (whole * one + (select(arrived, one, zero) - select(left, one, zero)));
      slow[0] = select(left, T(slowness[j]), slow[0]);
      slow[1] = select(arrived, T(slowness[j]), slow[1]);
      cell[0] = select(left, T(o_.cell_shift[j]), cell[0]);
      cell[1] = select(arrived, T(o_.cell_shift[j]), cell[1]);
    }
    passes_[PIECES - 1] = passes_[PIECES - 1] + slowness[PIECES - 1] * (whole * one);
    const T place[2] = {fma(from, o_.bins, o_.bins * (real)0.5), fma(to, o_.bins, o_.bins * (real)0.5)};
    add_end(place[0], cell[0], -slow[0], zero);
    add_end(place[1], cell[1], slow[1], rest);
  }

  BM_FN_MEMBER void end_block() {
    BM_UNROLL for (int j = 0; j < PIECES; j++) {
      Slot<real> slow;
      store(slow, passes_[j]);
      passes_[j] = T((real)0);
      for (int l = 0; l < LANES; l++)
        if (slow[l] != 0) add_shared(sums_[l] + 2 * o_.cells + (uint32_t)j, units((double)slow[l] * o_.units_per_bin));
    }
  }

 private:
  // place: in bins from -1/2; slow: steps per period.
  BM_FN_MEMBER void add_end(const T& place, const T& shift, const T& slow, const T& rest) {
    const T below = floor(place);
    Slot<real> index, part, slowness, rests;
    store(index, below + shift);
    store(part, place - below);
    store(slowness, slow);
    store(rests, rest);
    for (int l = 0; l < LANES; l++) {
      if (counts_[l] == 0 || !(index[l] >= 0 && index[l] < (real)o_.cells)) continue;
      int64_t* cell = sums_[l] + 2 * (uint32_t)index[l];
      const double bin = (double)slowness[l] * o_.units_per_bin;
      add_shared(cell, units(bin * (double)part[l] + (double)rests[l] * o_.units_per_step));
      add_shared(cell + 1, units(bin));
    }
  }
  // A time beyond that of all runs means that the particle is practically at rest.
  BM_FN_MEMBER static int64_t units(double x) {
    return (int64_t)floor_of((x < -1e18 ? -1e18 : x > 1e18 ? 1e18 : x) + 0.5);
  }

  const Parameters& p_;
  const OccupationParameters& o_;
  static constexpr int PIECES = (int)decltype(Parameters::piece_force)::count;
  T passes_[PIECES];       // passes of whole pieces in this block, times the slowness there
  Slot<real> counts_;      // 1 in the window, else 0
  Slot<uint32_t> exists_;  // 0 for a spare trajectory
  Slot<int64_t*> sums_;    // sums of the path group of each trajectory
};

}  // namespace bmsim_kernel
