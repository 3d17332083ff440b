// Room for a file of results, checked before the run.
#pragma once
#include <string>

#include "plan/memory.h"

namespace bmsim {

/// Most bytes that results take in a file with this suffix: .nc is compressed; .csv and .tsv have no arrays.
double output_bytes(const ResultSize& size, const std::string& file);
/// Warns if a file of so many bytes may be too large for the disk that it is to be on, or for the limit of the size of
/// a file (ulimit -f). Throws Error if it is too large whatever its numbers are.
void check_space(const std::string& file, double bytes);

}  // namespace bmsim
