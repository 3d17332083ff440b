// Check of the transient. It compares both halves of the window along the same paths: their mean velocities, and where
// observables are made of them, averages of formulas and diffusion coefficients, Var(x at the end - x at the
// beginning)/(2 duration) of each half. In a stationary state they differ by chance alone. What is left of the start
// lies in the first half, so that half of the difference is the error that it makes. Where paths forget their past, the
// standard error of half the difference is that of the velocity. So z, the difference in its own standard errors, is
// the error of the start in standard errors of the velocity.
//
// Densities over the window are compared by the probabilities to be below some places, in the first and the second half
// of the times at which they are recorded. Counts of both halves are summed in place of those of all times, so that
// this costs next to nothing. Their errors come from groups of paths.
//
// Check of memory: the correlation between what single paths did in both halves. It falls with the length of the window
// where paths forget their past. If it is near 1 they do not: a mean is then that of the states in which they began,
// and both halves agree for that very reason. Displacements that are correlated make their variance grow faster than
// time. A diffusion coefficient still grows then, by a part that is known where memory fades exponentially.
//
// The middle of the window changes no bit of a path. Where all paths make the same steps it is the end of one. A path
// with a clock of its own is looked at when the first block of iterations begins after the middle, and the time is that
// of its clock. With method exact it is looked at just at the middle.
#pragma once
#include <span>
#include <vector>

#include "plan/plan.h"

namespace bmsim {

/// How the halves of the window compare, see above.
struct TransientCheck {
  enum Of { velocity, diffusion, average, density };
  /// One variable, or one average, at one point.
  struct Seen {
    Of of;
    size_t variable, point;  ///< indices in the plan; of averages, by number among halved_sums; of densities, of places
    double first, second;    ///< mean velocity, diffusion coefficient, average, or probability in either half
    double z;                ///< second - first over its standard error
    bool warned;
    bool rounding = false;  ///< a step's noise is lost beside what it is added to, which explains a difference
  };
  /// What the paths remember of the first half in the second.
  struct Memory {
    Of of;
    size_t variable, point;
    double correlation;  ///< of what single paths did in both halves
    double lasts;        ///< about how long, if it fades exponentially; infinity: no fading is seen
    /// A lower bound of `lasts` where the mean still moves, since paths have not spread yet over all that they will:
    /// paths that change one after the other correlate less than they remember.
    double lasts_at_least;
    double shared;   ///< number of paths that would make the correlation if each had an equal part in it
    double missing;  ///< of a diffusion coefficient: the part of its limit that this run cannot have seen
    bool seen;       ///< the correlation is more than chance
    bool warned;     ///< and matters
  };
  std::vector<Seen> seen;      ///< empty if nothing was checked
  std::vector<Memory> memory;  ///< empty if nothing was checked
  std::string text;            ///< why nothing was checked
};

/// Sums along paths whose halves are compared, of all observables.
std::vector<HalvedSum> halved_sums(const EnsemblePlan& plan);

/// Densities whose halves are compared, of all observables.
std::vector<HalvedDensity> halved_densities(const EnsemblePlan& plan);
/// The name of a probability, "P(x < 1)", by the number of its place among those of all halved_densities.
std::string name_of_probability(const EnsemblePlan& plan, size_t place);

/// Both halves of the window at every point, over all paths so far, by variable, then by halved_sums, then by the
/// places of halved_densities.
class Halves {
 public:
  Halves() = default;
  explicit Halves(const EnsemblePlan& plan);
  void add(size_t point, std::span<const HalfMoments> moments);
  void forget(size_t point);
  std::span<const HalfMoments> at(size_t point) const {
    return std::span(moments_).subspan(point * numbers_, numbers_);
  }

 private:
  size_t numbers_ = 0;  // of a point
  std::vector<HalfMoments> moments_;
};

/// Decides whether a plan compares halves, and places the middle at its points.
void choose_halves(Plan& plan);
/// Places the middle of the window, at a whole number of periods of what depends on time; NEVER if halves say nothing.
void place_middle(const EnsemblePlan& plan, Point& point);

/// The length of a half over the time in which memory fades, from the correlation of both halves: 0 < correlation < 1.
double halves_in_memory(double correlation);

TransientCheck check_transient(const Plan& plan, const Halves& halves);

}  // namespace bmsim
