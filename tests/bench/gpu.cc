#include "benchmarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "backend/cuda/driver.h"
#include "backend/cuda/nvrtc.h"
#include "baseline.h"
#include "ensemble.h"
#include "models.h"

namespace bmsim::bench {

using namespace bmsim::test;
using namespace bmsim::reference;

namespace {

struct Row {
  const char* work;
  Model model;
  double spp;
  const char *method, *increments, *precision;
  double required;  ///< 10^9 steps/s by the device's clock on an H200, 0 for none
};

std::vector<Row> rows() {
  const auto [jumps, thermal, smooth, flipping, both, inertial, written] = bench::models();
  return {{"Model I, piecewise linear, D_G = 0", jumps, 400, "heun", "auto", "single", 1000},
          {"Model I, piecewise linear, D_G = 0", jumps, 50, "heun", "auto", "single", 800},
          {"Model I, piecewise linear, D_G = 0", jumps, 16, "heun", "auto", "single", 550},
          {"Model I, piecewise linear, D_G = 0", jumps, 400, "platen", "auto", "single", 0},
          {"Model I, piecewise linear, D_G = 0.1", thermal, 400, "heun", "auto", "single", 500},
          {"Model I, piecewise linear, D_G = 0.1", thermal, 400, "heun", "gaussian", "single", 0},
          {"Model I, sine, D_G = 0.1", smooth, 400, "heun", "auto", "single", 600},
          {"the same, V a formula", written, 400, "heun", "auto", "single", 0},
          {"Model II, piecewise linear, D_G = 0", flipping, 200, "heun", "auto", "single", 1000},
          {"underdamped, driven, thermal", inertial, 200, "aboba", "auto", "single", 600},
          {"underdamped, driven, thermal", inertial, 200, "heun", "auto", "single", 0},
          {"underdamped, driven, thermal", inertial, 200, "aboba", "auto", "double", 0},
          {"Model I, piecewise linear, D_G = 0", jumps, 400, "heun", "auto", "double", 600},
          {"Model I, sine, D_G = 0.1", smooth, 400, "heun", "auto", "double", 0},
          {"Model I, literal algorithm, D_G = 0", jumps, 400, "paper", "auto", "single", 0},
          {"Model I, literal algorithm, D_G = 0.1", thermal, 400, "paper", "auto", "single", 0},
          {"Model II, literal algorithm, D_G = 0", flipping, 200, "paper", "auto", "single", 0},
          {"Model I, piecewise linear, D_G = 0", jumps, 400, "exact", "auto", "single", 100000},
          {"Model I, piecewise linear, D_G = 0", jumps, 400, "exact", "auto", "double", 0},
          {"Model II, piecewise linear, D_G = 0", flipping, 200, "exact", "auto", "single", 0}};
}

RunOptions gpu_run(const Row& row, uint64_t paths, double steps) {
  RunOptions run = options();
  run.check_step = false;
  run.device = "cuda";
  run.paths = paths;
  run.spp = row.spp;
  run.periods = steps / row.spp;
  run.method = row.method;
  run.increments = row.increments;
  run.precision = row.precision;
  return run;
}

/// A run without the paths of any point coming to the host.
RunOutcome outcome(const Row& row, uint64_t paths, double steps) {
  RunOptions asked = gpu_run(row, paths, steps);
  if (row.model.underdamped()) asked.observables = {"velocity", "velocity_squared"};
  return bmsim::run(make_plan(row.model, Sweep(), asked), {});
}

/// Lane instructions per second of independent fused multiply-adds: the ceiling of the card's issue slots.
double multiply_add_rate() {
  constexpr const char* source = R"(
    extern "C" __global__ void multiply_add(float* x, int n) {
      float a = x[threadIdx.x], b = a + 1, c = a + 2, d = a + 3;
      for (int j = 0; j < n; j++) {
        #pragma unroll
        for (int k = 0; k < 32; k++) {
          a = fmaf(a, 0.999f, 1e-3f); b = fmaf(b, 0.999f, 1e-3f);
          c = fmaf(c, 0.999f, 1e-3f); d = fmaf(d, 0.999f, 1e-3f);
        }
      }
      x[threadIdx.x] = a + b + c + d;
    })";
  const auto backend = make_backend("cuda", 1);
  const cuda::Driver& driver = cuda::driver();
  int major = 0, minor = 0;
  driver.device_attribute(&major, cuda::compute_major, 0);
  driver.device_attribute(&minor, cuda::compute_minor, 0);
  const std::string cubin = cuda::Nvrtc().compile(source, 10 * major + minor);
  cuda::Module module = nullptr;
  cuda::Function function = nullptr;
  cuda::DevicePointer x = 0;
  cuda::Event before = nullptr, after = nullptr;
  cuda::check(driver.module_load(&module, cubin.data()), "module");
  cuda::check(driver.module_function(&function, module, "multiply_add"), "kernel");
  cuda::check(driver.allocate(&x, 1024, nullptr), "memory");
  driver.event_create(&before, 0);
  driver.event_create(&after, 0);
  int n = 400;
  constexpr unsigned blocks = 4096, threads = 256;
  void* arguments[] = {&x, &n};
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    driver.event_record(before, nullptr);
    cuda::check(driver.launch(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr), "launch");
    driver.event_record(after, nullptr);
    cuda::check(driver.event_synchronize(after), "launch");
    float milliseconds = 0;
    driver.event_elapsed(&milliseconds, before, after);
    best = std::max(best, 1e3 * blocks * threads * 128.0 * n / static_cast<double>(milliseconds));
  }
  driver.release(x, nullptr);
  driver.module_unload(module);
  return best;
}

}  // namespace

void print_gpu_rows() {
  const auto begin = std::chrono::steady_clock::now();
  make_backend("cuda", 1);
  const std::chrono::duration<double> started = std::chrono::steady_clock::now() - begin;
  fmt::print("start of the driver, and a context: {:.3f} s\n", started.count());
  const double ceiling = multiply_add_rate();
  fmt::print("fused multiply-adds: {:.1f}e12 lane instructions/s\n\n", ceiling * 1e-12);
  fmt::print("{:<38}{:>4}  {:<7}{:<9}{:<7}{:>9}{:>9}{:>10}{:>12}\n", "work", "spp", "method", "incr.", "reals",
             "1e9 /s", "whole", "required", "issue slots");
  for (const auto& row : rows()) {
    outcome(row, 1 << 20, 4000);  // builds the kernel
    const RunOutcome first = outcome(row, 1 << 20, 200000);
    const double steps = first.steps_per_second * first.seconds;
    const RunOutcome long_run = outcome(row, 1 << 20, 200000 * std::max(1.0, 2.0 / first.seconds));
    const double long_steps = long_run.steps_per_second * long_run.seconds;
    const double kernel = std::max(steps / first.device_seconds, long_steps / long_run.device_seconds);
    fmt::print("{:<38}{:>4}  {:<7}{:<9}{:<7}{:>9.1f}{:>9.1f}{:>10}{:>12.1f}\n", row.work, row.spp, row.method,
               row.increments, row.precision, kernel * 1e-9,
               long_steps / (long_run.seconds + long_run.compile_seconds) * 1e-9,
               row.required > 0 ? fmt::format("{}", row.required) : "", ceiling / kernel);
    std::fflush(stdout);
  }
}

void print_speedups() {
  fmt::print("model,precision,particles,seconds,steps_per_second,speedup\n");
  for (const bool dichotomous : {false, true})
    for (const char* precision : {"single", "double"}) {
      const Row row{
          "", dichotomous ? models().flipping : models().jumps, dichotomous ? 200.0 : 400.0, "heun", "auto", precision,
          0};
      const double cpu =
          baseline_rate(dichotomous ? BaselineModel::dichotomous : BaselineModel::poissonian,
                        BaselinePotential::piecewise_linear, BaselineForce::sine_sign, 0, static_cast<int>(row.spp),
                        precision[0] == 's' ? BaselinePrecision::single_ : BaselinePrecision::double_);
      for (uint64_t particles = 32; particles <= 1 << 17; particles *= 2) {
        const RunOutcome run = outcome(row, particles, 1000 * row.spp);
        fmt::print("{},{},{},{:.4g},{:.4g},{:.4g}\n", dichotomous ? "II" : "I", precision, particles, run.seconds,
                   run.steps_per_second, run.steps_per_second / cpu);
      }
    }
}

}  // namespace bmsim::bench
