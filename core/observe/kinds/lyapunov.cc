// The largest Lyapunov exponent: the mean rate at which the distance of two close paths with the same noise grows.
#include <fmt/format.h>

#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

class Lyapunov : public Observable {
 public:
  explicit Lyapunov(Options options) { options.end(); }
  std::string name() const override { return "lyapunov"; }
  ColumnLabel label(const std::string&) const override { return {"Lambda", "1/time", "largest Lyapunov exponent"}; }
  bool of_stationary_state() const override { return true; }
  Needs needs() const override { return {.windows = true, .steps = true, .smooth = true}; }
  std::vector<Counter> counters(const PointFacts& facts) const override {
    if (facts.of_state) return {growth_of_state(facts)};
    const bool inertial = facts.mass > 0;
    const TrajectoryField tangent{FieldType::real, "tangent",
                                  "direction in which neighbouring trajectories part: of x / L and of v",
                                  inertial ? size_t{2} : 0, true};
    return {
        {.name = "lyapunov",
         .type = "Lyapunov",
         .state = {{FieldType::number, "growth",
                    "ln of the growth factor of `tangent` in the window; underdamped: in octaves, without the length "
                    "of `tangent`"},
                   tangent},
         .motion = {{FieldType::real, "growth", "the same in this block of steps", inertial ? size_t{0} : 1}, tangent},
         .values = {"growth"}}};
  }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    const Estimate growth = mean(m.window.counted.at(m.facts.of_state ? "tangent_growth.growth" : "lyapunov.growth"));
    columns = {{growth.value / m.window.duration, growth.error / m.window.duration}};
  }

  /// A tangent vector that turns grows and shrinks by some factor, which is little beside several e-folds.
  std::string warning(const Findings& found) const override {
    constexpr double folds = 5;
    size_t small = 0;
    for (size_t i = 0; i < found.facts.size(); ++i)
      small += found.facts[i].of_state && std::abs(found.columns[0][i].value) * found.facts[i].window() < folds ? 1 : 0;
    if (small == 0) return Observable::warning(found);
    return fmt::format(
        "lyapunov: distances changed by less than a factor e^{} within the window at {} of {} points: what turns of "
        "the tangent vector add is then not small, and not in the error; a longer window would tell the exponent from "
        "0",
        folds, small, found.facts.size());
  }

 private:
  static Counter growth_of_state(const PointFacts& facts) {
    size_t directions = facts.variables();
    for (size_t i = 0; i < facts.variables(); ++i) directions += facts.variable(i).mass > 0 ? 1 : 0;
    const TrajectoryField tangent{
        FieldType::real, "tangent",
        "direction in which neighbouring trajectories part: of all positions / L, then of velocities", directions,
        true};
    return {.name = "tangent_growth",
            .type = "TangentGrowth",
            .state = {{FieldType::number, "growth",
                       "growth factor of `tangent` in the window, in octaves, without the length of `tangent`"},
                      tangent},
            .motion = {tangent},
            .values = {"growth"},
            .linearises = true};
  }
};

}  // namespace

const ObservableKind observable_lyapunov = {
    .name = "lyapunov",
    .summary = "the rate at which infinitely close paths with the same noise part",
    .make = made<Lyapunov>,
    .of = ObservableKind::state,
};

}  // namespace bmsim
