// The other benchmarks; see bench.cc for the rows of the CPU.
#pragma once

namespace bmsim::bench {

/// Speed of every kernel in docs/benchmarks.md, by the device's clock and as a whole run, with the literal algorithm of
/// the founding paper and the measured rate of fused multiply-adds beside it.
void print_gpu_rows();

/// The founding paper's Figs. 4 and 5 as CSV: time, speed and speedup over its CPU program, for 2^5 ... 2^17 particles.
void print_speedups();

/// What observables cost on $BMSIM_TEST_DEVICE, as ratios of the times of whole runs.
void print_observables();

/// Steps that a tolerance takes on $BMSIM_TEST_DEVICE, and those that one step for all points takes.
void print_tolerance();

/// Speed of systems of several variables on $BMSIM_TEST_DEVICE: on a GPU beside the required rates, on one core as
/// ratios to plain scalar programs.
void print_systems(double seconds);

/// What the check of the step costs on $BMSIM_TEST_DEVICE.
void print_checks();

/// What a user waits for besides steps, on $BMSIM_TEST_DEVICE: plans of many points, and compilation with an empty
/// cache; on a GPU also the rates of walls and of events at zeros, of Gaussian increments and of few paths.
void print_waits();

}  // namespace bmsim::bench
