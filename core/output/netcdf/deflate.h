// HDF5's filters "shuffle" and "deflate", which a chunk of numbers passes when it is written.
#pragma once
#include <span>
#include <vector>

namespace bmsim::netcdf {

constexpr unsigned deflate_level = 4;

/// The bytes of a chunk in the file, in zlib's format: the first bytes of all numbers, then the second ones, and so on.
/// Several threads may call it at once. Throws std::bad_alloc, or Problem.
std::vector<unsigned char> deflated(std::span<const double> values);

}  // namespace bmsim::netcdf
