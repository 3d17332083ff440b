// Fields of the structs that the composer writes into the text of a kernel, and counters. A field is listed once:
// declaration, bytes and loops over all members come from the list.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace bmsim {

/// real: BM_REAL; number: double; word: uint32_t; byte: uint8_t; pointer: to a table of reals.
enum class FieldType { real, number, word, byte, pointer };
constexpr size_t bytes_of(FieldType type, size_t bytes_of_real) {
  return type == FieldType::real ? bytes_of_real : type == FieldType::word ? 4 : type == FieldType::byte ? 1 : 8;
}

/// A field of Parameters, with its values at a point.
struct ParameterField {
  FieldType type;
  std::string name;
  std::vector<double> values;  ///< several: an array
  bool array = false;
};

/// A field of every trajectory. If count is 0 the kernel lacks it, and declares it Absent (kernels/absent.h).
struct TrajectoryField {
  FieldType type;
  std::string name;
  std::string meaning{};  ///< comment on its declaration
  size_t count = 1;
  bool array = false;
};

/// A quantity that a kernel counts along every path: class `type` of kernels/counters/`name`.h (kernels/counter.h).
struct Counter {
  std::string name;                          ///< "first_passage": also a member of Trajectories and of Parameters
  std::string type;                          ///< "FirstPassage"
  std::vector<ParameterField> parameters{};  ///< at a point, in units of the kernel: periods and steps
  std::vector<TrajectoryField> state{};      ///< kept for every trajectory
  /// Kept for every trajectory but seldom used: members such as residence_since, see apart() in kernels/state.h.
  std::vector<TrajectoryField> apart{};
  std::vector<TrajectoryField> motion{};  ///< members of Motion, changed by every step; kept if `state` has the name
  std::vector<std::string> values{};      ///< one number per path: "time" becomes "first_passage.time" in a Window
  /// Units of the values at a point, by which a Window's are multiplied; empty: they stay as the kernel gives them.
  std::vector<double> units{};
  bool linearises = false;  ///< steps take a tangent vector along (kernels/tangent.h)
  size_t sums = 0;          ///< number of integer sums over the paths of a share; for one counter of a run only
};

}  // namespace bmsim
