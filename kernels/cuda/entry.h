// The kernels that the engine launches: one thread per trajectory, one warp per group of 32. The state of a trajectory
// is stored word by word, so that a warp reads and writes whole cache lines.
#pragma once
#include "formulas.h"
#include "increment_laws.h"
#include "loop.h"
#include "moments.h"
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

// Sums over the paths of a bundle by one block of 256 threads, in the order of the host's (core/observe/moments.cc).
struct BundlePaths {
  const uint32_t* memory;
  uint64_t threads, first, count;
  bmsim_abi::PartUnits units;
  double* partial;
  uint32_t variable;

  // Number of the variable. With an index that is not constant the numbers would need memory.
  template <class F> BM_FN_MEMBER double of_variable(F number) const {
    if constexpr (VARIABLES == 1) return number(0);
    long long bits = 0;
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) bits |=
        __double_as_longlong(number(i)) & ((uint32_t)i == variable ? ~0LL : 0LL);
    return __longlong_as_double(bits);
  }
  BM_FN_MEMBER double place(const double (&values)[PATH_VALUES.count], uint32_t from) const {
    return of_variable([&](int i) { return values[from + i]; }) * units.length;
  }
  BM_FN_MEMBER void load_values(uint64_t path, double (&values)[PATH_VALUES.count]) const {
    Trajectories s;
    load_state(s, memory, threads, first + path);
    path_values(s, 0, values, 1);
  }
  // Sums of what f(path, out) puts into out; COUNT paths, a block apart, are fetched at the same time.
  template <int COUNT, class Load, int N, class F> BM_FN_MEMBER void add(Load load, double (&sums)[N], F f) const {
    BM_UNROLL for (int i = 0; i < N; i++) sums[i] = 0;
    uint64_t path = threadIdx.x;
    for (; path + (COUNT - 1) * blockDim.x < count; path += COUNT * blockDim.x) add_some<COUNT>(load, path, sums, f);
    if constexpr (COUNT > 1)
      for (; path < count; path += blockDim.x) add_some<1>(load, path, sums, f);
    BM_UNROLL for (int i = 0; i < N; i++) {
      partial[threadIdx.x] = sums[i];
      for (uint32_t half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) partial[threadIdx.x] = partial[threadIdx.x] + partial[threadIdx.x + half];
      }
      __syncthreads();
      sums[i] = partial[0];
      __syncthreads();
    }
  }
  template <int COUNT, class Load, int N, class F>
  BM_FN_MEMBER void add_some(Load load, uint64_t path, double (&sums)[N], F f) const {
    decltype(load(path)) paths[COUNT];
    BM_UNROLL for (int k = 0; k < COUNT; k++) paths[k] = load(path + k * blockDim.x);
    BM_UNROLL for (int k = 0; k < COUNT; k++) {
      double out[N];
      f(paths[k], out);
      BM_UNROLL for (int i = 0; i < N; i++) sums[i] = sums[i] + out[i];
    }
  }
};
struct EndsOfPaths : BundlePaths {
  template <int N, class F> BM_FN_MEMBER void add_up(double (&sums)[N], F f) const {
    const auto load = [&](uint64_t path) BM_FN_LAMBDA -> bmsim_abi::PathEnds {
      double values[PATH_VALUES.count];
      load_values(path, values);
      const auto square = [&](int i) { return is_inertial(i) ? values[PATH_VALUES.squares + velocity_of(i)] : 0.0; };
      return {place(values, PATH_VALUES.start), place(values, PATH_VALUES.end),
              BM_PUSHED ? values[PATH_VALUES.push] * units.length : of_variable(square)};
    };
    add<4>(load, sums, f);
  }
};
struct HalvesOfPaths : BundlePaths {
  template <int N, class F> BM_FN_MEMBER void add_up(double (&sums)[N], F f) const {
    const auto load = [&](uint64_t path) BM_FN_LAMBDA {
      double values[PATH_VALUES.count];
      load_values(path, values);
      return bmsim_abi::path_halves(place(values, PATH_VALUES.start), place(values, PATH_VALUES.middle),
                                    place(values, PATH_VALUES.end), values[PATH_VALUES.middle + VARIABLES],
                                    units.transient, units.total);
    };
    add<1>(load, sums, f);
  }
};

extern "C" __global__ void bm_moments(const uint32_t* memory, uint64_t threads, const bmsim_abi::Bundle* bundles,
                                      const bmsim_abi::PartUnits* units, bmsim_abi::BundleMoments* moments,
                                      uint32_t variable) {
  const bmsim_abi::Bundle bundle = bundles[blockIdx.x];
  const BundlePaths paths{memory, threads, bundle.first, bundle.paths, units[bundle.part], bm_shared, variable};
  const auto window = bmsim_abi::window_moments(EndsOfPaths{paths});
  bmsim_abi::HalfMoments halves;
  if constexpr (BM_HALVES)
    halves = bmsim_abi::half_moments(HalvesOfPaths{paths}, paths.units.total - paths.units.transient);
  if (threadIdx.x == 0) moments[blockIdx.x] = {window, halves};
}

}  // namespace bmsim_kernel
