// Residence in two states of the unfolded x: lower since x was last at or below `from`, upper since it was last at or
// above `to`, as a Schmitt trigger sees them.
#include <algorithm>
#include <cmath>

#include "error.h"
#include "observe/jackknife.h"
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

class Residence : public Observable {
 public:
  explicit Residence(const ObservableRequest& request) : Residence(Options(request)) {}
  std::string name() const override { return "residence"; }
  std::vector<std::string> columns() const override {
    return {"residence_low", "residence_high", "residence_low_fraction"};
  }
  ColumnLabel label(const std::string& column) const override {
    if (column == columns()[0]) return {"tau_low", "time", "mean residence time in the lower state"};
    if (column == columns()[1]) return {"tau_high", "time", "mean residence time in the upper state"};
    return {"p_low", "", "fraction of the time in the lower state"};
  }
  Needs needs() const override { return {.windows = true, .looks = Looks::at_levels}; }
  std::vector<Counter> counters(const PointFacts& facts) const override {
    return {
        {.name = "residence",
         .type = "Residence",
         .parameters = {{FieldType::number, "low", {from_ / facts.length()}},
                        {FieldType::number, "high", {to_ / facts.length()}}},
         .state = {{FieldType::number, "since", "steps at which the trajectory entered its present state"},
                   {FieldType::number, "resided",
                    "steps in the lower and in the upper state, of stays that ended within the window", 2, true},
                   {FieldType::word, "stays",
                    "4 times their number, plus UP in the lower state, DOWN in the upper one, both in neither yet"}},
         .values = {"low_time", "high_time", "low_left", "high_left", "since", "state"},
         .waits = true}};
  }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    const std::span<const double> low_left = m.window.counted.at("residence.low_left"),
                                  high_left = m.window.counted.at("residence.high_left");
    const std::vector<double> low_time = time_in(0, m.window), high_time = time_in(1, m.window);
    const auto add = [&](size_t path, std::array<double, 4>& sums) {
      sums[0] += low_time[path];
      sums[1] += high_time[path];
      sums[2] += low_left[path];
      sums[3] += high_left[path];
    };
    // Time in a state over the number of exits from it. The observed parts of visits that the ends of the window cut
    // off are included, so that long visits are not missed.
    columns = estimates(jackknife_of_sums<4>(low_time.size(), add, [](const std::array<double, 4>& s) {
      const auto per_visit = [](double time, double left) { return left > 0 ? time / left : std::nan(""); };
      return std::array<double, 3>{per_visit(s[0], s[2]), per_visit(s[1], s[3]), s[0] / (s[0] + s[1])};
    }));
    std::array<double, 4> all{};
    for (size_t path = 0; path < low_time.size(); ++path) add(path, all);
    const double ended[] = {all[2], all[3], std::min(all[2], all[3])};
    for (size_t i = 0; i < 3; ++i)
      if (ended[i] < fewest_visits) columns[i].error = std::nan("");
  }
  std::string warning(const Findings& found) const override {
    size_t few = 0;
    for (size_t i = 0; i < found.facts.size(); ++i)
      few += std::any_of(found.columns.begin(), found.columns.end(),
                         [&](const std::vector<Estimate>& column) { return std::isnan(column[i].error); });
    if (few == 0 || found.facts[0].paths < fewest_paths()) return Observable::warning(found);
    return fmt::format(
        "residence: a state was left less than {} times within the window, or met by no path, at {} of {} "
        "points, where errors are nan; more time or paths would do",
        fewest_visits, few, found.facts.size());
  }

 private:
  /// Time of every path in the lower (0) or upper (1) state: visits that have ended, and the visit at the end of the
  /// window.
  static std::vector<double> time_in(size_t state, const Window& window) {
    const std::span<const double> ended = window.counted.at(state == 0 ? "residence.low_time" : "residence.high_time");
    const std::span<const double> since = window.counted.at("residence.since"),
                                  last = window.counted.at("residence.state");
    std::vector<double> times(ended.begin(), ended.end());
    for (size_t i = 0; i < times.size(); ++i) {
      if (std::isnan(since[i]) || last[i] == static_cast<double>(state + 1))
        times[i] += window.total_steps - std::max(since[i], window.transient_steps);
      times[i] *= window.dt;
    }
    return times;
  }
  static constexpr double fewest_visits = 16;  // fewest whose scatter gives an error
  static constexpr double unset = std::numeric_limits<double>::infinity();
  explicit Residence(Options options)
      : from_(options.number("from", unset, -unset, unset)), to_(options.number("to", unset, -unset, unset)) {
    options.end();
    if (from_ == unset || to_ == unset)
      fail("observe.residence: give both from and to, the levels at which the lower and the upper state begin");
    if (!(from_ < to_)) fail("observe.residence: from must be < to = {}, got {}", to_, from_);
  }
  double from_, to_;
};

}  // namespace

std::unique_ptr<Observable> make_residence(const ObservableRequest& request) {
  return std::make_unique<Residence>(request);
}

}  // namespace bmsim
