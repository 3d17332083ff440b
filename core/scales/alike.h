// Places of a sweep of a system: which of them are looked at, and which share what was found at another one.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "scales/changes.h"
#include "scales/system_scales.h"

namespace bmsim {

/// The cell of numbers: those in one cell differ by less than 15 %. 0 and whole numbers are alone in theirs.
std::vector<double> cell_of(std::vector<double> numbers);

/// Whether none of the scales of one is more than 1.3 times that of the other.
bool are_alike(const SystemScales& a, const SystemScales& b);

/// What the motion of a system depends on.
struct SystemPlace {
  const ModelValues& values;
  SystemStart start;
  double duration;
};

/// for_each(count, task) calls task(i) for all i < count, from any threads.
using ForEach = std::function<void(size_t, const std::function<void(size_t)>&)>;

/// Places whose scales are not known, and what is found there. The methods that find look `closely` at so many of the
/// first places.
class UnknownSystems {
 public:
  struct Found {
    std::optional<Changes> changes;
    std::shared_ptr<const SystemScales> scales;
    std::unique_ptr<const SystemScales> first;  ///< of first steps, as long as they are compared
  };
  UnknownSystems(const Model& model, const ForEach& for_each) : model_(model), for_each_(for_each) {}

  /// key: all numbers on which the place depends.
  void add(const SystemPlace& place, std::vector<double> key);
  /// Whether there are so many that they share; jumps are at places of their own at every point.
  bool share() const;
  void find_all(size_t closely);
  /// Looks at some hundreds; the others have the scales of one before them, whatever they are.
  void find_some(size_t closely);
  /// Looks at one place of each cell. Those that do not move like it are compared with the first one of these, and so
  /// on.
  void find_unlike(size_t closely);

  std::vector<Found>& found() { return found_; }
  std::vector<std::vector<double>>& keys() { return keys_; }

 private:
  void look_at(size_t i, bool closely);
  void take_first_steps(size_t i);
  template <class Find> void try_at(size_t i, Find find);

  const Model& model_;
  const ForEach& for_each_;
  std::vector<const SystemPlace*> places_;
  std::vector<std::vector<double>> keys_;
  std::vector<Found> found_;
};

}  // namespace bmsim
