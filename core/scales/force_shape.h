// The scales of a potential where particles can be: the size of its force, how fast the force changes, and over what
// length. Host functions are sampled to find them, whether the potential is a plugin, a formula or a table.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/continuity.h"
#include "model/surroundings.h"
#include "scales/alike.h"
#include "scales/changes.h"
#include "scales/system_scales.h"

namespace bmsim {

struct ForceShape {
  double force = 0;           ///< largest |V'|
  double curvature = 0;       ///< largest |V''|, except at kinks
  double height = 0;          ///< largest V minus smallest V
  double length = 0;          ///< of the smallest structure, |V'|/|V''| or from kink to kink; INFINITY if there is none
  bool kinks = false;         ///< V' jumps somewhere
  double crossing = 0;        ///< force over length; with several times, the largest at any of them
  double room = 0;            ///< shortest distance between kinks; without kinks, the length that is looked at
  std::vector<Jump> jumps{};  ///< of V', where particles come
  double place = 0;           ///< largest |x| to which V takes particles, if it depends on time and has no period
  bool closed = true;         ///< whether bounds of the formula exclude that anything was missed
  double unsure = 0;          ///< if not closed: x near which V' may change far faster than was seen
  /// The places that were looked at, ascending, including those of narrow structures. Empty for a potential that
  /// depends on time, and at later points of a long sweep.
  std::vector<double> places{};
};

/// Shapes of a potential at the points of a sweep, cached since most sweeps leave the potential alone.
class ForceShapes {
 public:
  /// The shape over one period. Without a period: over the x between the walls that a particle can reach from the
  /// starts, by its energy, the other forces, and jumps of Levy noise. starts: the least and greatest initial x.
  /// duration: of the run. changes: for a potential that depends on time, whose shape has the largest numbers of all
  /// these times.
  const ForceShape& at(const Model& model, const ModelValues& values, const Surroundings& around,
                       std::pair<double, double> starts, double duration, const Changes& changes = {});

  /// What depends on time explicitly; and, for models of one variable, all forces but the potential's.
  struct Environment {
    Changes changes;
    std::optional<Surroundings> around;
  };
  /// What depends on time explicitly.
  const Changes& changes(const Model& model, const ModelValues& values, const SystemStart& start, double duration);
  /// The whole environment, for models of one variable.
  const Environment& environment(const Model& model, const ModelValues& values, const SystemStart& start,
                                 double duration);
  /// The same for a plain model, valid until it is asked for again: with nothing but constant forces and noises without
  /// amplitudes, whose sizes are found in less time than a place where they are kept. starts: where paths begin.
  static bool is_plain(const Model& model);
  const Environment& plain_environment(const Model& model, const ModelValues& values, std::pair<double, double> starts);
  const SystemScales& of_system(const Model& model, const ModelValues& values, const SystemStart& start,
                                double duration);
  /// Which of many places are looked at; the others share what was found there.
  enum class Looked {
    at_unlike,  ///< those that do not move like one with nearly the same parameters
    at_some     ///< some hundreds, whatever the others are
  };
  /// Finds changes() and of_system() for many places, to be asked for later.
  void find_systems(const Model& model, const std::vector<SystemPlace>& places, Looked looked, const ForEach& for_each);

 private:
  Environment& known_environment(const Model& model, const ModelValues& values, const SystemStart& start,
                                 double duration);

  /// By bytes: 0 and -0 are two keys, which costs nothing but time.
  struct Hash {
    size_t operator()(const std::vector<double>& numbers) const {
      const auto* bytes = reinterpret_cast<const char*>(numbers.data());
      return std::hash<std::string_view>{}({bytes, numbers.size() * sizeof(double)});
    }
  };
  template <class Known> using ByNumbers = std::unordered_map<std::vector<double>, Known, Hash>;
  ByNumbers<ForceShape> known_;
  ByNumbers<std::shared_ptr<const SystemScales>> known_systems_;
  ByNumbers<Environment> known_environments_;
  Environment plain_;
};

}  // namespace bmsim
