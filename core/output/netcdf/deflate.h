// HDF5's filters "shuffle" and "deflate", as a chunk of numbers passes them when it is written.
#pragma once
#include <span>
#include <vector>

namespace bmsim::netcdf {

constexpr unsigned deflate_level = 4;

/// The bytes of a chunk in the file: the first bytes of all numbers, then the second ones and so on, in zlib's format.
/// May be called by several threads at once. Throws std::bad_alloc, or Problem.
std::vector<unsigned char> deflated(std::span<const double> values);

}  // namespace bmsim::netcdf
