// netCDF-4 files: a dimension per axis, with labels, units and the origin of the numbers.
#pragma once
#include <string>

#include "output/dataset.h"

namespace bmsim {

/// Writes a dimension per axis, with the axis's first name. Axes are variables along their dimension, columns have the
/// dimensions of the axes, arrays also those of their coordinates. Equal coordinates share a dimension; different ones
/// of the same name get a number. Attributes: long_name, symbol, units, bmsim_role, and bmsim_name if netCDF does not
/// allow the name. Throws Error, leaving no partial file.
void write_netcdf(const Dataset& data, const std::string& file, Existing existing);
/// Writes a dataset whose arrays are not copied into `data`. So many threads compress it; no byte depends on their
/// number.
void write_netcdf(const Dataset& data, const std::vector<Array>& arrays, const std::string& file, Existing existing,
                  unsigned threads);

/// Throws Error if the file is not netCDF, is damaged, or was not written by bmsim. table.header is the manifest. The
/// file is not trusted: another process reads it, with limits of memory and time. The dataset is consistent: every
/// column has a value for each point, every array the shape of its coordinates, and names are not empty. Texts and
/// names may hold any characters but zero.
Dataset read_netcdf(const std::string& file);
/// Reads texts and table.header alone, without numbers: at once, however large the file is.
Dataset read_netcdf_texts(const std::string& file);

}  // namespace bmsim
