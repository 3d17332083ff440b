// Basins of attraction: mean velocity of each path over the window, on a grid of initial values.
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

class Basins : public Observable {
 public:
  explicit Basins(Options options) { options.end(); }
  std::string name() const override { return "basins"; }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override { return {.windows = true}; }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    const double cells = static_cast<double>(cells_of(facts));
    if (facts.paths < cells)
      fail("observe.basins: paths must be at least those of the grid, {}, got {}", cells, facts.paths);
    std::vector<Coordinate> grid;
    if (!facts.grid_v.empty()) grid.push_back({"initial_v", "v(0)", "length/time", facts.grid_v.all()});
    if (!facts.grid_x.empty()) grid.push_back({"initial_x", "x(0)", "length", facts.grid_x.all()});
    std::vector<Array> shapes = {{"basins_velocity", "<v>", "length/time", grid, {}}};
    if (facts.paths >= 2 * cells) shapes.push_back({"basins_velocity_err", "<v>", "length/time", grid, {}});
    return shapes;
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    const size_t cells = cells_of(m.facts), paths = m.window.end.size();
    arrays.assign(2, {});
    std::vector<double> shared;
    for (size_t cell = 0; cell < cells; ++cell) {
      shared.clear();
      for (size_t path = cell; path < paths; path += cells)
        shared.push_back((m.window.end[path] - m.window.start[path]) / m.window.duration);
      const Estimate velocity = mean(shared);
      arrays[0].push_back(velocity.value);
      arrays[1].push_back(velocity.error);
    }
    if (paths < 2 * cells) arrays.pop_back();  // a single path has no error
  }

  double order(const std::string&) const override { return 1; }
  double fewest_paths() const override { return 0; }

 private:
  static size_t cells_of(const PointFacts& facts) {
    if (facts.grid_x.empty() && facts.grid_v.empty())
      fail("observe.basins: the run must have a grid of initial values, as in {}",
           "initial = { x = { from = -1, to = 1, count = 20 } }");
    return std::max<size_t>(1, facts.grid_x.size()) * std::max<size_t>(1, facts.grid_v.size());
  }
};

}  // namespace

const ObservableKind observable_basins = {
    .name = "basins",
    .summary = "the mean velocity of the paths from each initial state",
    .make = made<Basins>,
    .of = ObservableKind::one_variable,
    .compared = false,
};

}  // namespace bmsim
