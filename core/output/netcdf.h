// netCDF-4 files: a dimension per axis, with labels, units and where the numbers come from.
#pragma once
#include <mutex>
#include <string>

#include "output/dataset.h"

namespace bmsim {

/// One dimension per axis, under the axis's first name; axes are variables along theirs, columns have the dimensions of
/// the axes, arrays those and their coordinates'. Coordinates that are equal share a dimension, others of the same name
/// get a number. Attributes: long_name, symbol, units, bmsim_role, bmsim_name where netCDF cannot have the name.
/// Written to a temporary name in the same directory and renamed. Throws Error, leaving no partial file.
void write_netcdf(const Dataset& data, const std::string& file);

/// netCDF's library, and HDF5 below it, serve one thread at a time, and HDF5 is told in each to say nothing of errors:
/// held by the two functions here.
std::unique_lock<std::mutex> netcdf_lock();

/// Throws Error for what is no netCDF file, is damaged, or was not written by bmsim. table.header is the manifest.
Dataset read_netcdf(const std::string& file);

}  // namespace bmsim
