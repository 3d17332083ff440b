// What the program that reads netCDF files writes to the process that asked for it: records, each of a byte that says
// its kind and of fields. A number is 8 bytes, a text its length and its bytes.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bmsim::wire {

enum Kind : char {
  text = 'T',      ///< text name, text value
  variable = 'V',  ///< text role, name, symbol, long name, units; number: 1 if it gives the values of its dimension;
                   ///< number of dimensions, and of each a number that names it and its length
  values = 'B',    ///< of the last variable, in order, until all have come: their number, and as many doubles
  error = 'E',     ///< text why; the last record
  end = 'Z'        ///< the last record
};

/// The second argument that asks for no variables.
constexpr const char* texts_alone = "texts";
constexpr size_t most_dimensions = 64;
/// The reader computes for at most so long between two records.
constexpr unsigned seconds = 10;

}  // namespace bmsim::wire
