// Records that the program that reads and makes netCDF files exchanges with the process that started it. A record has a
// byte that says its kind, and fields. A number is 8 bytes, a text its length and its bytes.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bmsim::wire {

enum Kind : char {
  text = 'T',  ///< text name, text value: of the file; to write, also of the last variable
  /// From a file: text role, name, symbol, long name, units; number: 1 if it gives the values of its dimension; number
  /// of dimensions, and for each a number that names it and its length. To write: text name; number: 1 if it is
  /// measured; number of dimensions, and for each the name of the variable that gives its values, and its length.
  variable = 'V',
  values = 'B',  ///< of the last variable: their number, and as many doubles; from a file in parts, until all have come
  image = 'I',   ///< the file: its length and its bytes; the last record
  error = 'E',   ///< text why; the last record
  end = 'Z'      ///< the last record
};

/// The program's first argument. To read, the second one is the file, and the third one may be texts_alone. To write,
/// the second one is the number of threads that compress.
constexpr const char *read = "read", *write = "write";
constexpr const char* texts_alone = "texts";  ///< no variables
constexpr size_t most_dimensions = 64;
/// The program may compute for so long between two records of a file that it reads.
constexpr unsigned seconds = 10;

}  // namespace bmsim::wire
