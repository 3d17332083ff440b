// Differential mobility d<v>/df: the same paths, with the same random numbers, under the forces f and f + df. With
// common random numbers the difference has a much smaller variance than either velocity.
#include "error.h"
#include "hypotenuse.h"
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

class Mobility : public Observable {
 public:
  explicit Mobility(Options options) {
    step_ = options.number("df", 0.1, -1e300, 1e300);
    options.end();
    if (step_ == 0) fail("observe.mobility: df must differ from 0");
  }
  std::string name() const override { return "mobility"; }
  ColumnLabel label(const std::string&) const override {
    return {"d<v>/df", "length/(time force)", "differential mobility"};
  }
  bool of_stationary_state() const override { return true; }
  Needs needs() const override { return {.windows = true, .force_step = step_}; }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    std::vector<double> slopes;
    for (size_t i = 0; i < m.window.end.size(); ++i)
      slopes.push_back((m.window.perturbed[i] - (m.window.end[i] - m.window.start[i])) / (step_ * m.facts.window()));
    columns = {mean(slopes)};
    // In a periodic potential both copies of a path come together again, except for a few that end in different
    // periods. There may have been one such pair more or less, even where there was none.
    const double apart = m.facts.free ? 0 : m.facts.period;
    const double pair_error = apart / (std::abs(step_) * m.facts.window() * static_cast<double>(slopes.size()));
    columns[0].error = hypotenuse(columns[0].error, pair_error);
  }

 private:
  double step_ = 0;
};

}  // namespace

const ObservableKind observable_mobility = {
    .name = "mobility",
    .summary = "d<v>/d force, from the same paths with a little more force",
    .options = "df",
    .make = made<Mobility>,
    .of = ObservableKind::one_variable,
};

}  // namespace bmsim
