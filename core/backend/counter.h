// Fields of the structs that the composer writes into a kernel's text. A field is listed once: the declaration, the
// bytes and the loops over all members come from the list.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace bmsim {

/// real: as BM_REAL; number: double; word: uint32_t; byte: uint8_t; pointer: to a table of reals.
enum class FieldType { real, number, word, byte, pointer };
constexpr size_t bytes_of(FieldType type, size_t bytes_of_real) {
  return type == FieldType::real ? bytes_of_real : type == FieldType::word ? 4 : type == FieldType::byte ? 1 : 8;
}

/// A field of Parameters with its values at a point.
struct ParameterField {
  FieldType type;
  std::string name;
  std::vector<double> values;  ///< several: an array
  bool array = false;
};

/// A field of every trajectory. count 0: this kernel does not have it, and the text declares it Absent
/// (kernels/absent.h).
struct TrajectoryField {
  FieldType type;
  std::string name;
  std::string meaning{};  ///< the comment behind the declaration
  size_t count = 1;
  bool array = false;
};

/// Something that a kernel counts along every path for an observable: class `type` of kernels/counters/`name`.h, which
/// has the code (kernels/counter.h).
struct Counter {
  std::string name;                          ///< "first_passage": also a member of Trajectories and of Parameters
  std::string type;                          ///< "FirstPassage"
  std::vector<ParameterField> parameters{};  ///< of a point, in the kernel's units: periods and steps
  std::vector<TrajectoryField> state{};      ///< kept of every trajectory
  std::vector<TrajectoryField> motion{};  ///< members of Motion, which every step changes; kept if `state` has the name
  std::vector<std::string> values{};      ///< found of every path: "time" becomes "first_passage.time" in a Window
  size_t sums = 0;                        ///< whole numbers that the paths of a share add to; one counter of a run
};

}  // namespace bmsim
