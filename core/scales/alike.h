// Places of a long sweep that move alike, and share what short paths found at one of them.
#pragma once
#include <vector>

#include "scales/system_scales.h"

namespace bmsim {

/// The cell of numbers: those in one cell differ by less than 15 %. 0 and whole numbers are alone in theirs.
std::vector<double> cell_of(std::vector<double> numbers);

/// Whether none of the scales of one is more than 1.3 times that of the other.
bool are_alike(const SystemScales& a, const SystemScales& b);

}  // namespace bmsim
