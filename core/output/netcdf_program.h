// Where the program lies that reads and makes netCDF files.
#pragma once
#include <string>

namespace bmsim {

/// Beside the library, "bmsim/netcdf", or what the environment's BMSIM_NETCDF names.
std::string netcdf_program();

}  // namespace bmsim
