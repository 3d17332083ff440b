// The kernels that the engine launches: one thread per trajectory, one warp per group of 32. The state of a trajectory
// is stored word by word, so that a warp reads and writes whole cache lines.
#pragma once
#include "formulas.h"
#include "increment_laws.h"
#include "loop.h"
#include "samples.h"
#include "shared.h"
#include "start.h"
#include "together.h"

namespace bmsim_kernel {

constexpr int STATE_WORDS = sizeof(Trajectories) / 4;
constexpr int APART_WORDS = 2 * APART;  // while trajectories move they stay in memory

template <int FROM = 0>
BM_FN void load_state(Trajectories& s, const uint32_t* memory, uint64_t stride, uint64_t thread) {
  uint32_t words[STATE_WORDS];
  BM_UNROLL for (int i = 0; i < STATE_WORDS; i++) words[i] = i < FROM ? 0u : memory[i * stride + thread];
  copy_bytes(s, words);
}
template <int FROM = 0>
BM_FN void save_state(const Trajectories& s, uint32_t* memory, uint64_t stride, uint64_t thread) {
  uint32_t words[STATE_WORDS];
  copy_bytes(words, s);
  BM_UNROLL for (int i = FROM; i < STATE_WORDS; i++) memory[i * stride + thread] = words[i];
}

BM_FN uint64_t this_thread() { return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; }
BM_FN Launch launch_of(const LaneGroup& group, uint64_t seed, uint64_t first_block, uint64_t blocks) {
  return {seed, group.trajectory + threadIdx.x % 32, first_block, blocks, {}, group.path + threadIdx.x % 32, nullptr};
}

// What a warp seldom reads is kept in shared memory. In registers it would compete with the step. As an argument of the
// kernel it would be loaded at every step, since the compiler considers that cheap enough to move it out of branches.
struct Seldom {
  WindowSteps window;
  Recorder recorder;  // of the first trajectory
  uint32_t* memory;   // the state of the first trajectory, if some of it stays there
  uint64_t threads;
  double levels[2 * LEVEL_PAIRS];
};
static_assert(sizeof(Seldom) <= SELDOM_REALS * sizeof(real), "room for what is seldom read");
BM_FN volatile Seldom& seldom() { return *(volatile Seldom*)(warp_shared() + SELDOM_AT); }
BM_FN WindowSteps window_of(const Parameters&) {
  return {seldom().window.begin, seldom().window.middle, seldom().window.end};
}
BM_FN uint32_t* words_apart(int i) { return seldom().memory + threadIdx.x % 32 + 2 * i * seldom().threads; }
BM_FN double apart(Trajectories&, int, int i) {
  const uint32_t* const word = words_apart(i);
  return __longlong_as_double((long long)((unsigned long long)word[seldom().threads] << 32 | word[0]));
}
BM_FN void set_apart(Trajectories&, int, int i, double x) {
  uint32_t* const word = words_apart(i);
  const unsigned long long bits = (unsigned long long)__double_as_longlong(x);
  word[0] = (uint32_t)bits, word[seldom().threads] = (uint32_t)(bits >> 32);
}
BM_FN volatile double& level_kept(int i) { return seldom().levels[i]; }
BM_FN void meet_warp() { __syncwarp(); }
BM_FN const volatile Recorder& recorder_of(const Launch&) { return seldom().recorder; }
BM_FN double* samples_of(const Launch&) { return seldom().recorder.samples + threadIdx.x % 32; }

constexpr uint64_t PARAMETER_BYTES = sizeof(Parameters) + TABLE_BYTES;
extern "C" __device__ const Layout bm_layout = {.lanes = 32,
                                                .group_bytes = 32 * sizeof(Trajectories),
                                                .parameter_bytes = PARAMETER_BYTES,
                                                .scratch_bytes = 0,
                                                .shared_bytes = WARP_REALS * sizeof(real) / 32,
                                                .block = BLOCK,
                                                .fields = AVERAGED,
                                                .member_bytes = 0,
                                                .sample_values = SAMPLE_VALUES,
                                                .marks = BM_MARKS,
                                                .formulas = BM_FORMULAS,
                                                .path_values = PATH_VALUES};

BM_FN Parameters parameters_at(const char* parameters, uint32_t point) {
  const char* memory = parameters + point * PARAMETER_BYTES;
  Parameters p = *(const Parameters*)memory;
  attach_tables(p, (const real*)(memory + sizeof p));
  return p;
}

extern "C" __global__ void bm_start(Grid grid) {
  const uint64_t thread = this_thread();
  if (thread >= grid.threads) return;
  const LaneGroup group = grid.groups[thread / 32];
  const Parameters p = parameters_at(grid.parameters, group.point);
  const Launch launch = launch_of(group, grid.seed, 0, 0);
  Pools pools;
  pools.begin();
  Trajectories s;
  start_group(s, p, launch, pools);
  // Words between members are never stored, but loaded with the others.
  BM_UNROLL for (int i = 0; i < STATE_WORDS; i++) grid.memory[i * grid.threads + thread] = 0;
  save_state(s, grid.memory, grid.threads, thread);
}

#if BM_FIELDS
struct Members {
  Member only;
  BM_FN_MEMBER static constexpr int count() { return 1; }
  BM_FN_MEMBER Member operator[](int) { return only; }
};
#endif

// BM_REGISTERS: what the host allows a thread of a simple model. Left to itself, the compiler takes fewer registers,
// and more instructions; which is faster where work is added up by places, but with aboba.
#if BM_BLOCK_THREADS
#define BM_BOUNDS __launch_bounds__(BM_BLOCK_THREADS)
#elif BM_REGISTERS && BM_SINGLE && BM_VARIABLES == 1 && (BM_COMMON_CLOCK || BM_CROSSINGS) && BM_METHOD != BM_PAPER && \
    (!BM_FALLS || BM_METHOD == BM_ABOBA)
#define BM_BOUNDS __launch_bounds__(65536 / BM_REGISTERS, 1)
#else
#define BM_BOUNDS
#endif
extern "C" __global__ void BM_BOUNDS bm_advance(Grid grid, GridLaunch to) {
  const uint64_t thread = this_thread();
  if (thread >= grid.threads) return;  // whole warps
  Trajectories s;
  load_state<APART_WORDS>(s, grid.memory, grid.threads, thread);
  const LaneGroup group = grid.groups[thread / 32];
  const Parameters p = parameters_at(grid.parameters, group.point);
  // All threads of a system end together: they wait for one another.
  if (BM_FIELDS > 0 ? (double)to.first_block * BLOCK >= p.total_steps && to.first_block > 0
                    : !__any_sync(0xffffffffu, s.stage[0] < DONE))
    return;
  Launch launch = launch_of(group, grid.seed, to.first_block, to.blocks);
  seldom().window.begin = p.transient_steps;
  seldom().window.middle = p.middle_steps;
  seldom().window.end = p.total_steps;
  if (APART > 0) {
    seldom().memory = grid.memory + (thread - threadIdx.x % 32);
    seldom().threads = grid.threads;
  }
  if (BM_MARKS) {
    volatile Recorder& recorder = seldom().recorder;
    recorder.marks = to.marks + group.point * to.marks_per_point;
    recorder.samples = to.samples + (thread - threadIdx.x % 32);
    recorder.stride = grid.threads;
  }
  __syncwarp();
  launch.sums = to.sums + group.share * to.sums_per_share;
  Pools pools;
  pools.begin();
#if BM_FIELDS
  Exchange exchange(p, launch, to.system, group.share);
  Increments increments(s, p);
  Stepper stepper(s, p, launch, pools);
  Members members{{launch, increments, stepper}};
  const bool more = advance_together(members, exchange, launch.first_block, launch.blocks);
  record_rest(s, launch);
#else
  const bool more = advance(s, p, launch, pools);
#endif
  if (more) *to.more = 1;
  if (s.stage[0] == DIVERGED) *to.diverged = 1;
  save_state<APART_WORDS>(s, grid.memory, grid.threads, thread);
}

// Value i of path l goes to values[i * threads + l].
extern "C" __global__ void bm_window(const uint32_t* memory, uint64_t threads, double* values) {
  const uint64_t thread = this_thread();
  if (thread >= threads) return;
  Trajectories s;
  load_state(s, memory, threads, thread);
  path_values(s, 0, values + thread, threads);
}

// Moments of the window of a variable over the paths of a bundle, one block of 256 threads per bundle: the same as the
// host's observe/moments.cc, with every sum in the same order. One pass makes several sums, since a pass costs a
// reading of the memory.
struct Reduction {
  const uint32_t* memory;
  uint64_t threads, first, paths;
  double length, begin, total;  // total: steps of the run, begin: those before the window
  double* partial;
  uint32_t variable;

  // The value of the variable. With an index that is not constant the values would need memory.
  template <class F> BM_FN_MEMBER double of_variable(F value_of) {
    if constexpr (VARIABLES == 1) return value_of(0);
    long long bits = 0;
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) bits |=
        __double_as_longlong(value_of(i)) & ((uint32_t)i == variable ? ~0LL : 0LL);
    return __longlong_as_double(bits);
  }
  // Motion per step in both halves of the window, the same in both of a path that does not know its middle; and the
  // steps of the first half.
  struct Halves {
    double first, second, time;
  };
  BM_FN_MEMBER Halves halves(uint64_t path) {
    Trajectories s;
    load_state(s, memory, threads, first + path);
    double values[PATH_VALUES.count], place[3];
    path_values(s, 0, values, 1);
    place[0] = of_variable([&](int i) { return values[PATH_VALUES.start + i]; });
    place[1] = of_variable([&](int i) { return values[PATH_VALUES.middle + i]; });
    place[2] = of_variable([&](int i) { return values[PATH_VALUES.end + i]; });
    BM_UNROLL for (int k = 0; k < 3; k++) place[k] = __dmul_rn(place[k], length);
    const double middle = values[PATH_VALUES.middle + VARIABLES], all = __dsub_rn(total, begin);
    const auto rate = [&](double from, double to, double steps)
                          BM_FN_LAMBDA { return __ddiv_rn(__dsub_rn(to, from), steps); };
    if (!(middle > 0)) {
      const double mean = rate(place[0], place[2], all);
      return {mean, mean, __dmul_rn(all, 0.5)};
    }
    const double time = __dsub_rn(middle, begin);
    return {rate(place[0], place[1], time), rate(place[1], place[2], __dsub_rn(total, middle)), time};
  }
  // Sums over the paths of N contributions, f(halves, out), in the order of sum.
  template <int N, class F> BM_FN_MEMBER void sum_halves(double (&total)[N], F f) {
    BM_UNROLL for (int i = 0; i < N; i++) total[i] = 0;
    for (uint64_t path = threadIdx.x; path < paths; path += blockDim.x) {
      double out[N];
      f(halves(path), out);
      BM_UNROLL for (int i = 0; i < N; i++) total[i] = __dadd_rn(total[i], out[i]);
    }
    add_up(total);
  }

  BM_FN_MEMBER void ends(uint64_t path, double& start, double& end, double& sum) {
    Trajectories s;
    load_state(s, memory, threads, first + path);
    double values[PATH_VALUES.count];
    path_values(s, 0, values, 1);
    start = __dmul_rn(of_variable([&](int i) { return values[PATH_VALUES.start + i]; }), length);
    end = __dmul_rn(of_variable([&](int i) { return values[PATH_VALUES.end + i]; }), length);
    sum = BM_PUSHED
              ? __dmul_rn(values[PATH_VALUES.push], length)
              : of_variable([&](int i) { return is_inertial(i) ? values[PATH_VALUES.squares + velocity_of(i)] : 0.0; });
  }
  // Adds COUNT paths, a block apart, whose words are fetched at the same time.
  template <int COUNT, int N, class F> BM_FN_MEMBER void add(uint64_t path, double (&total)[N], F f) {
    double start[COUNT], end[COUNT], sum[COUNT];
    BM_UNROLL for (int k = 0; k < COUNT; k++) ends(path + k * blockDim.x, start[k], end[k], sum[k]);
    BM_UNROLL for (int k = 0; k < COUNT; k++) {
      double out[N];
      f(start[k], end[k], sum[k], out);
      BM_UNROLL for (int i = 0; i < N; i++) total[i] = __dadd_rn(total[i], out[i]);
    }
  }
  // Sums over the paths: f(start, end, sum, out) gives the N contributions of one path.
  template <int N, class F> BM_FN_MEMBER void sum(double (&total)[N], F f) {
    BM_UNROLL for (int i = 0; i < N; i++) total[i] = 0;
    uint64_t path = threadIdx.x;
    for (; path + 3 * blockDim.x < paths; path += 4 * blockDim.x) add<4>(path, total, f);
    for (; path < paths; path += blockDim.x) add<1>(path, total, f);
    add_up(total);
  }
  // Of the sums of all threads.
  template <int N> BM_FN_MEMBER void add_up(double (&total)[N]) {
    BM_UNROLL for (int i = 0; i < N; i++) {
      partial[threadIdx.x] = total[i];
      for (uint32_t half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) partial[threadIdx.x] = __dadd_rn(partial[threadIdx.x], partial[threadIdx.x + half]);
      }
      __syncthreads();
      total[i] = partial[0];
      __syncthreads();
    }
  }
};

// units: three numbers for each part: the length of the variable, steps before the window, steps of the run.
extern "C" __global__ void bm_moments(const uint32_t* memory, uint64_t threads, const bmsim_abi::Bundle* bundles,
                                      const double* units, double* moments, uint32_t variable) {
  const bmsim_abi::Bundle bundle = bundles[blockIdx.x];
  const double* unit = units + 3 * bundle.part;
  Reduction reduction{memory, threads, bundle.first, bundle.paths, unit[0], unit[1], unit[2], bm_shared, variable};
  double* out = moments + bmsim_abi::BUNDLE_NUMBERS * (uint64_t)blockIdx.x;
  const double n = (double)bundle.paths;
  double half[13] = {};  // in the order of HalfMoments
  if constexpr (BM_HALVES) {
    typedef Reduction::Halves Halves;
    const auto square = [](double x) BM_FN_LAMBDA { return __dmul_rn(x, x); };
    double rate[3], about[3], about_widening[4];
    reduction.sum_halves(rate,
                         [](const Halves& of, double* to) { to[0] = of.first, to[1] = of.second, to[2] = of.time; });
    BM_UNROLL for (int i = 0; i < 3; i++) rate[i] /= n;
    const double change = __dsub_rn(rate[1], rate[0]), first_time = rate[2];
    const double second_time = __dsub_rn(__dsub_rn(unit[2], unit[1]), first_time);
    reduction.sum_halves(about, [&](const Halves& of, double* to) {
      to[0] = square(__dsub_rn(of.first, rate[0])), to[1] = square(__dsub_rn(of.second, rate[1]));
      to[2] = square(__dsub_rn(__dsub_rn(of.second, of.first), change));
    });
    const double widening = __dsub_rn(__dmul_rn(second_time, about[1]), __dmul_rn(first_time, about[0])) / n;
    reduction.sum_halves(about_widening, [&](const Halves& of, double* to) {
      const double a = __dsub_rn(of.first, rate[0]), b = __dsub_rn(of.second, rate[1]);
      const double own = __dsub_rn(__dmul_rn(second_time, square(b)), __dmul_rn(first_time, square(a)));
      const double excess = __dsub_rn(own, widening);
      to[0] = square(excess), to[1] = __dmul_rn(a, excess), to[2] = __dmul_rn(b, excess);
      to[3] = square(__dmul_rn(a, b));
    });
    half[0] = rate[0], half[1] = rate[1], half[5] = first_time, half[6] = second_time, half[7] = widening;
    half[11] = __dmul_rn(first_time, about[0]) / n, half[12] = about_widening[3];
    BM_UNROLL for (int i = 0; i < 3; i++) half[2 + i] = about[i], half[8 + i] = about_widening[i];
  }
  double mean[4];  // start, end, displacement, the path's sum
  reduction.sum(mean, [](double start, double end, double sum, double* of) {
    of[0] = start, of[1] = end, of[2] = __dsub_rn(end, start), of[3] = sum;
  });
  BM_UNROLL for (int i = 0; i < 4; i++) mean[i] /= n;
  const auto spread_of = [&](double start, double end) {
    const double e = __dsub_rn(end, mean[1]), s = __dsub_rn(start, mean[0]);
    return __dsub_rn(__dmul_rn(e, e), __dmul_rn(s, s));
  };
  double about[6];  // spread; squares of displacement, sum and start; products of displacement with the last two
  reduction.sum(about, [&](double start, double end, double sum, double* of) {
    const double moved = __dsub_rn(__dsub_rn(end, start), mean[2]), excess = __dsub_rn(sum, mean[3]);
    const double from = __dsub_rn(start, mean[0]);
    of[0] = spread_of(start, end), of[1] = __dmul_rn(moved, moved);
    of[2] = __dmul_rn(excess, excess), of[3] = __dmul_rn(from, from);
    of[4] = __dmul_rn(moved, excess), of[5] = __dmul_rn(from, moved);
  });
  const double spread = about[0] / n;
  double about_spread[3];  // its square, its products with displacement and start
  reduction.sum(about_spread, [&](double start, double end, double, double* of) {
    const double excess = __dsub_rn(spread_of(start, end), spread);
    of[0] = __dmul_rn(excess, excess);
    of[1] = __dmul_rn(__dsub_rn(__dsub_rn(end, start), mean[2]), excess);
    of[2] = __dmul_rn(__dsub_rn(start, mean[0]), excess);
  });
  if (threadIdx.x > 0) return;
  // In the order of WindowMoments.
  const double all[12] = {mean[2],  about[1],        spread,  about_spread[0], mean[3],  about[2],
                          about[4], about_spread[1], mean[0], about[3],        about[5], about_spread[2]};
  BM_UNROLL for (int i = 0; i < 12; i++) out[i] = all[i];
  BM_UNROLL for (int i = 0; i < 13; i++) out[12 + i] = half[i];
}

}  // namespace bmsim_kernel
