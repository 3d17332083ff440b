// Heun's scheme for x' = -V'(x) + 1 + Gaussian noise of D = 0.3, V = sin 2 pi x, as a user would write it for this
// equation alone: one thread a path, cuRAND's Philox, four normal numbers at a time, fast math. Part of peers.py.
//   nvcc -O3 --use_fast_math -arch=native peers.cu -o peers && ./peers PATHS STEPS
// Prints steps per second of the best of four runs by the device's clock, and with the copy of the paths to the host;
// the mean velocity, and its standard error.
#include <curand_kernel.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr float turn = 6.2831853f, force = 1, D = 0.3f, dt = 1e-3f;

__device__ float total_force(float x) { return fmaf(-turn, __cosf(turn * x), force); }

/// place: where in their period the paths are. moved: what they move by.
__global__ void advance(float* place, float* moved, unsigned long long seed, int steps) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, i, 0, &state);
  const float amplitude = sqrtf(2 * D * dt), start = place[i];
  float x = start, periods = 0;  // apart, since single precision cannot resolve a step far from 0
  for (int n = 0; n < steps; n += 4) {
    const float4 normal = curand_normal4(&state);
    const float numbers[4] = {normal.x, normal.y, normal.z, normal.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const float f = total_force(x), predicted = x + f * dt + amplitude * numbers[k];
      x = x + 0.5f * dt * (f + total_force(predicted)) + amplitude * numbers[k];
    }
    if ((n & 63) == 0) {
      const float whole = rintf(x);
      x -= whole;
      periods += whole;
    }
  }
  place[i] = x;
  moved[i] = periods + (x - start);
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "peers.cu: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

}  // namespace

int main(int count, char** words) {
  constexpr int threads = 256;
  const int paths = count > 1 ? std::atoi(words[1]) : 1 << 20;
  const int steps = count > 2 ? std::atoi(words[2]) : 100000;
  if (paths <= 0 || paths % threads != 0 || steps <= 0 || steps % 4 != 0) {
    std::fprintf(stderr, "peers.cu: PATHS must be a multiple of %d, STEPS of 4\n", threads);
    return 2;
  }
  const size_t bytes = sizeof(float) * static_cast<size_t>(paths);
  float *place = nullptr, *moved = nullptr;
  cudaEvent_t before, after;
  check(cudaMalloc(&place, bytes));
  check(cudaMalloc(&moved, bytes));
  check(cudaMemset(place, 0, bytes));
  check(cudaEventCreate(&before));
  check(cudaEventCreate(&after));
  std::vector<float> result(static_cast<size_t>(paths));
  double device = 1e300, whole = 1e300;
  advance<<<paths / threads, threads>>>(place, moved, 1, 4000);  // the transient
  check(cudaDeviceSynchronize());
  for (unsigned long long repeat = 0; repeat < 4; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    check(cudaEventRecord(before));
    advance<<<paths / threads, threads>>>(place, moved, 2 + repeat, steps);
    check(cudaGetLastError());
    check(cudaEventRecord(after));
    check(cudaMemcpy(result.data(), moved, bytes, cudaMemcpyDeviceToHost));
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, before, after));
    device = std::min(device, 1e-3 * milliseconds);
    whole = std::min(whole, wall.count());
  }
  double sum = 0, squares = 0;
  for (const float one : result) sum += one, squares += static_cast<double>(one) * one;
  const double time = static_cast<double>(dt) * steps, mean = sum / paths;
  const double error = std::sqrt((squares / paths - mean * mean) / paths);
  const double all = static_cast<double>(paths) * steps;
  std::printf("%.6g %.6g %.6g %.6g\n", all / device, all / whole, mean / time, error / time);
}
