// Room for a file of results, checked before the run.
#pragma once
#include <string>

#include "plan/memory.h"

namespace bmsim {

/// Bytes that results take in a file with this suffix, at most: .nc is compressed, and .csv and .tsv have no arrays.
double output_bytes(const ResultSize& size, const std::string& file);
/// Warns if a file of so many bytes may not fit where it is to be written, on the disk or under the limit of a file's
/// size (ulimit -f). Throws Error if it cannot, whatever its numbers are.
void check_space(const std::string& file, double bytes);

}  // namespace bmsim
