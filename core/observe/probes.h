// Probes: arrays that only the check of the step looks at (Observable::probes). They are sums of numbers of an array
// whose single numbers scatter too much to show an error of the step. Their standard errors take the correlations
// between these numbers into account.
#pragma once
#include "observe/observable.h"

namespace bmsim {

/// An array, and the array of its errors, NAME_err, after those before.
std::vector<Array> with_errors(const Array& values, std::vector<Array> before = {});
/// Adds the values of probes, each followed by its errors, to Measured::probes, if that is asked for.
void give_probes(const std::vector<Grouped>& values, const Measured& measured);

/// Adds probes of a density: the probabilities below the places of Axis::ends. times: 0 if all are taken together.
void add_probes_below(const std::string& name, const Axis& axis, Coordinate centres, size_t times,
                      std::vector<Array>& probes);

/// Adds what the check of the transient compares of a density between halves of the window. cells: number of all bins.
void add_halved(const Axis& axis, const Coordinate& centres, size_t cells, std::vector<HalvedDensity>& densities);

/// Probes of recorded paths: mean and variance over all paths of the run, of x and of v if there is one. They are nan
/// except at some of the times.
std::vector<Array> probes_of_paths(const std::string& name, size_t times, bool velocities);
void give_probes_of_paths(const Measured& measured);
/// Observable::order of a probe of recorded paths.
double order_of_probe(const std::string& probe);

}  // namespace bmsim
