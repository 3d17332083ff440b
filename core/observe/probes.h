// Probes: arrays that only the check of the step looks at (Observable::probes). They are sums of numbers of an array
// whose single numbers scatter too much to show an error of the step, with standard errors that know how these hang
// together.
#pragma once
#include "observe/observable.h"

namespace bmsim {

/// A probe, and the array of its errors.
std::vector<Array> with_errors(const Array& probe);
/// Gives the values of probes, each with its errors, to whoever asks for them.
void give_probes(const std::vector<Grouped>& values, const Measured& measured);

/// Adds probes of a density: the probabilities below the places of Axis::ends. centres: of the bins. times: 0 if it is
/// not of each time.
void add_probes_below(const std::string& name, const Axis& axis, Coordinate centres, size_t times,
                      std::vector<Array>& probes);

/// Of a density over the window: what the check of the transient compares between its halves. cells: bins in all.
void add_halved(const Axis& axis, const Coordinate& centres, size_t cells, std::vector<HalvedDensity>& to);

/// Probes of recorded paths: mean and variance over all paths of the run, of x and of v if there is one, at some of the
/// times, nan at the others.
std::vector<Array> probes_of_paths(const std::string& name, size_t times, bool velocities);
void give_probes_of_paths(const Measured& measured);
/// Observable::order of these.
double order_of_probe(const std::string& probe);

}  // namespace bmsim
