// The effective diffusion tensor of several variables of a system without its diagonal, which `diffusion` gives:
// [Cov(x, y) at the end of the window - Cov(x, y) at its beginning] / [2 (t_f - t_i)] for all pairs.
#include "error.h"
#include "observe/known.h"
#include "observe/of_formula.h"
#include "observe/options.h"

namespace bmsim {

namespace {

/// Sums over the paths. Positions are taken from that of the first path.
enum Sum { paths, start_x, start_y, start_xy, end_x, end_y, end_xy, sums };

class JointDiffusion : public Observable {
 public:
  struct Pair {
    size_t x, y;
    std::string names[2];
  };
  explicit JointDiffusion(std::vector<Pair> pairs) : pairs_(std::move(pairs)) {}
  std::string name() const override { return "joint_diffusion"; }
  std::vector<std::string> columns() const override {
    std::vector<std::string> names;
    for (const Pair& pair : pairs_) names.push_back(fmt::format("diffusion_{}_{}", pair.names[0], pair.names[1]));
    return names;
  }
  ColumnLabel label(const std::string& column) const override {
    const auto names = columns();
    const auto& [x, y] = pairs_[static_cast<size_t>(std::ranges::find(names, column) - names.begin())].names;
    return {fmt::format("D_eff,{},{}", x, y), "length^2/time",
            fmt::format("element of the effective diffusion tensor, of {} and {}", x, y)};
  }
  bool of_stationary_state() const override { return true; }
  bool of_spread() const override { return true; }
  Needs needs() const override { return {.windows = true}; }
  double order(const std::string&) const override { return 2; }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    for (const Pair& pair : pairs_) columns.push_back(element(m.windows[pair.x], m.windows[pair.y]));
  }

 private:
  static Estimate element(const Window& x, const Window& y) {
    const auto add = [&](size_t path, std::array<double, sums>& s) {
      const double x0 = x.start[path] - x.start[0], y0 = y.start[path] - y.start[0];
      const double x1 = x.end[path] - x.end[0], y1 = y.end[path] - y.end[0];
      s[paths] += 1;
      s[start_x] += x0, s[start_y] += y0, s[start_xy] += x0 * y0;
      s[end_x] += x1, s[end_y] += y1, s[end_xy] += x1 * y1;
    };
    const Grouped element = jackknife_of_sums<sums>(x.end.size(), add, [&](const std::array<double, sums>& s) {
      const double k = s[paths], at_start = s[start_xy] - s[start_x] * s[start_y] / k,
                   at_end = s[end_xy] - s[end_x] * s[end_y] / k;
      return std::array<double, 1>{(at_end - at_start) / (k - 1) / (2 * x.duration)};
    });
    const auto paths = static_cast<double>(x.end.size());
    return {element.value[0], element.error[0] * widening_of_squares(paths, element.asymmetry[0])};
  }

  std::vector<Pair> pairs_;
};

std::unique_ptr<Observable> refuse(const ObservableRequest&) {
  fail("observe.joint_diffusion: is for systems of several variables");
}

std::unique_ptr<Observable> make_joint_diffusion(const ObservableRequest& request,
                                                 std::span<const ObservedVariable> variables) {
  std::vector<std::string> names;
  for (const ObservedVariable& variable : variables)
    if (!variable.is_formula()) names.push_back(variable.name);
  Options options(request);
  const auto given = request.words.find("of");
  if (given != request.words.end()) names = divided(options.word("of", {given->second}));
  options.end();
  std::vector<size_t> indices;
  for (const std::string& name : names) {
    indices.push_back(index_of(request, name, variables));
    if (std::ranges::count(indices, indices.back()) > 1) fail("observe.joint_diffusion: of: '{}' is there twice", name);
  }
  std::vector<JointDiffusion::Pair> pairs;
  for (size_t i = 0; i < indices.size(); ++i)
    for (size_t k = i + 1; k < indices.size(); ++k)
      pairs.push_back({indices[i], indices[k], {variables[indices[i]].name, variables[indices[k]].name}});
  if (pairs.empty()) fail("observe.joint_diffusion: of: it must be of two variables at least, got {}", indices.size());
  return std::make_unique<JointDiffusion>(std::move(pairs));
}

}  // namespace

const ObservableKind observable_joint_diffusion = {
    .name = "joint_diffusion",
    .summary = "the growth of Cov(x, y) in the window, over twice its length",
    .make = refuse,
    .of = ObservableKind::state,
    .in_system = make_joint_diffusion,
};

}  // namespace bmsim
