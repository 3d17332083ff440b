// Events of the script within the window: how often they come, how much their number scatters, the density of the
// waiting times between them, and the averages of a function of the state just before and after them.
#include "backend/samples.h"
#include "error.h"
#include "observe/known.h"
#include "observe/of_formula.h"
#include "observe/options.h"

namespace bmsim {

namespace {

/// The error of a Fano factor is not known from fewer paths: the number of events may have rare large values. Where
/// paths bounce ever faster for a while, the error is 15 % too small at 256 paths, 9 % at 512, and 5 % at 1024.
constexpr size_t fewest_for_fano = 512;

/// A Fano factor differs from 1 - <n> by twice the number of pairs of events that paths have in the window, per event.
/// The scatter of paths gives the error from so many pairs on. With fewer it does not show that pairs may be missing.
constexpr double fewest_pairs = 16;

/// The error of a Fano factor, which is at least that of so few pairs: one more might have been seen.
double with_few_pairs(double error, double events, double squares) {
  const double pairs = (squares - events) / 2, least = 2 * std::sqrt(pairs + 1) / events;
  if (!(events > 0) || !(pairs < fewest_pairs)) return error;
  return error > least ? error : least;  // of one path with events the scatter gives none
}

class Events : public Observable {
 public:
  /// request: its word "events", the names of the model's events, is missing as long as the model is not known.
  explicit Events(const ObservableRequest& request) {
    if (const auto names = request.words.find("events"); names != request.words.end()) events_ = divided(names->second);
    ObservableRequest own = request;
    own.words.erase("events");
    if (const auto value = own.words.extract("value"); !value.empty()) value_ = value.mapped();
    if (own.numbers.contains("value")) fail("observe.events: value must be a formula, got a number");
    Options options(own);
    options.know("value");
    bins_ = options.count("bins", 0, 0, 100000);
    range_ = options.number("range", 0, 0, 1e300);
    options.end();
    if ((bins_ > 0) != (range_ > 0))
      fail("observe.events: bins and range, the longest waiting time, must be given together");
  }
  std::string name() const override { return "events"; }
  std::vector<std::string> columns() const override {
    std::vector<std::string> names;
    for (const std::string& event : events_) {
      names.insert(names.end(), {event + "_rate", event + "_fano"});
      if (!value_.empty()) names.insert(names.end(), {event + "_before", event + "_after"});
    }
    return names;
  }
  ColumnLabel label(const std::string& column) const override {
    const std::string event = column.substr(0, column.rfind('_'));
    for (const char* when : {"before", "after"})
      if (column == fmt::format("{}_{}", event, when))
        return {fmt::format("<{}> {} {}", value_, when, event), "",
                fmt::format("mean of {} just {} events '{}'", value_, when, event)};
    if (column.ends_with("_rate")) return {"rate of " + event, "1/time", "number of events '" + event + "' per time"};
    return {"F of " + event, "", "variance over mean of the number of events '" + event + "' in the window"};
  }
  double order(const std::string&) const override { return 0; }
  std::string own_warning(const Findings& found) const override {
    const std::vector<std::string> names = columns();
    bool unknown = false;
    for (size_t i = 0; i < names.size(); ++i)
      unknown = unknown || (names[i].ends_with("_fano") && std::isnan(found.columns[i][0].error));
    if (found.facts[0].paths >= fewest_for_fano || !unknown) return "";
    return fmt::format("events: the errors of Fano factors are nan with {} paths; {} would do", found.facts[0].paths,
                       fewest_for_fano);
  }
  Needs needs() const override {
    Needs needs{.windows = true, .steps = true};
    if (!value_.empty()) needs.at_events = {value_};
    return needs;
  }
  std::vector<Counter> counters(const PointFacts& facts) const override {
    if (bins_ > 0 && !(range_ < facts.window()))
      fail("observe.events: range must be less than the window, {:.6g}, got {}", facts.window(), range_);
    const size_t n = events_.size(), groups = path_groups_of(static_cast<size_t>(facts.paths));
    const auto bins = static_cast<double>(bins_);
    Counter counter{
        .name = "event_count",
        .type = "EventCount",
        .parameters = {{FieldType::number, "bins_per_step", {bins_ > 0 ? bins / (range_ / facts.dt) : 0}},
                       {FieldType::number, "range", {range_ / facts.dt}},
                       {FieldType::word, "bins", {bins}},
                       {FieldType::word, "path_groups", {static_cast<double>(groups)}}},
        .state = {{FieldType::number, "last", "steps at which the last wait began that is counted, or NEVER", n, true},
                  {FieldType::number, "number", "of events in the window", n, true},
                  {FieldType::number, "before", "sum over them of the value just before", value_.empty() ? 0 : n, true},
                  {FieldType::number, "after", "the same just after", value_.empty() ? 0 : n, true}},
        .sums = bins_ > 0 ? groups * n * (bins_ + 1) : 0};
    for (const char* value : {"number", "before", "after"})
      for (size_t k = 0; k < n && (value[0] == 'n' || !value_.empty()); ++k)
        counter.values.push_back(fmt::format("{}{}", value, k));
    return {counter};
  }
  std::vector<Array> arrays(const PointFacts&) const override {
    if (bins_ == 0) return {};
    std::vector<Array> densities;
    const Coordinate waits{"wait", "waiting time", "time", bin_centres(0, width(), bins_)};
    for (const std::string& event : events_)
      for (const char* suffix : {"", "_err"})
        densities.push_back({event + "_wait_density" + suffix, "p(wait of " + event + ")", "1/time", {waits}, {}});
    return densities;
  }
  void measure(const Measured& m, std::vector<Estimate>& columns,
               std::vector<std::vector<double>>& arrays) const override {
    for (size_t k = 0; k < events_.size(); ++k) {
      const std::span<const double> number = m.window.counted.at(fmt::format("event_count.number{}", k));
      Estimate rate = mean(number);
      if (rate.value == 0) rate.error = 1 / static_cast<double>(number.size());  // as if one event had been seen
      if (rate.error == 0) rate.error = 0.5;  // events come in all paths at once: the ends of the window matter
      columns.push_back({rate.value / m.facts.window(), rate.error / m.facts.window()});
      columns.push_back(fano(number));
      if (!value_.empty())
        for (const char* when : {"before", "after"})
          columns.push_back(mean_at(number, m.window.counted.at(fmt::format("event_count.{}{}", when, k))));
      if (bins_ > 0) add_density(m, k, arrays);
    }
  }

  /// Fano factors and averages at events: the columns are rate, Fano factor, and averages before and after, by event.
  std::vector<size_t> pooled_columns() const override {
    std::vector<size_t> indices;
    for (size_t i = 0; i < columns().size(); ++i)
      if (i % columns_of_event() > 0) indices.push_back(i);
    return indices;
  }
  std::vector<double> pooled_numbers(const Measured& m) const override {
    std::vector<double> numbers;
    for (size_t k = 0; k < events_.size(); ++k) {
      const auto counted = [&](const char* quantity) {
        return m.window.counted.at(fmt::format("event_count.{}{}", quantity, k));
      };
      const std::span<const double> number = counted("number");
      double squares = 0;
      for (const double count : number) squares += count * count;
      numbers.push_back(mean(number).value);
      numbers.push_back(squares / static_cast<double>(number.size()));
      if (!value_.empty())
        for (const char* when : {"before", "after"}) numbers.push_back(mean(counted(when)).value);
    }
    return numbers;
  }
  std::vector<ColumnEstimate> of_pooled(const Pooled& pooled, const PointFacts&) const override {
    std::vector<ColumnEstimate> column_estimates;
    for (const size_t i : pooled_columns()) {
      const size_t first = i - i % columns_of_event();
      Estimate estimate = pooled.function([=](const std::vector<double>& s) {
        const double number = s[first];
        if (!(number > 0)) return nan;
        return i == first + 1 ? (s[i] - number * number) / number : s[i] / number;
      });
      if (i == first + 1)
        estimate.error =
            pooled.paths < fewest_for_fano
                ? nan
                : with_few_pairs(estimate.error, pooled.mean[first] * pooled.paths, pooled.mean[i] * pooled.paths);
      column_estimates.push_back({i, estimate});
    }
    return column_estimates;
  }

 private:
  size_t columns_of_event() const { return value_.empty() ? 2 : 4; }
  static Estimate mean_at(std::span<const double> number, std::span<const double> sum) {
    const auto add = [&](size_t path, std::array<double, 2>& sums) { sums[0] += number[path], sums[1] += sum[path]; };
    return estimates(jackknife_of_sums<2>(number.size(), add, [](const std::array<double, 2>& s) {
      return std::array<double, 1>{s[0] > 0 ? s[1] / s[0] : nan};
    }))[0];
  }
  double width() const { return range_ / static_cast<double>(bins_); }
  static Estimate fano(std::span<const double> number) {
    const auto add = [&](size_t path, std::array<double, 3>& sums) {
      sums[0] += 1, sums[1] += number[path], sums[2] += number[path] * number[path];
    };
    Estimate found = estimates(jackknife_of_sums<3>(number.size(), add, [](const std::array<double, 3>& s) {
      const double mean = s[1] / s[0];
      return std::array<double, 1>{mean > 0 ? (s[2] / s[0] - mean * mean) * s[0] / (s[0] - 1) / mean : nan};
    }))[0];
    if (number.size() < fewest_for_fano) return {found.value, nan};
    double events = 0, squares = 0;
    for (const double count : number) events += count, squares += count * count;
    return {found.value, with_few_pairs(found.error, events, squares)};
  }
  void add_density(const Measured& m, size_t k, std::vector<std::vector<double>>& arrays) const {
    const size_t row = bins_ + 1, n = events_.size(), groups = m.sums.size() / (row * n);
    std::vector<double> total(row);
    for (size_t g = 0; g < groups; ++g)
      for (size_t i = 0; i < row; ++i) total[i] += static_cast<double>(m.sums[(g * n + k) * row + i]);
    const Grouped density = jackknife(groups, [&](size_t without) {
      const auto count = [&](size_t i) {
        return total[i] - (without < groups ? static_cast<double>(m.sums[(without * n + k) * row + i]) : 0);
      };
      std::vector<double> densities;
      for (size_t i = 1; i < row; ++i) densities.push_back(count(i) / (count(0) * width()));
      return densities;
    });
    arrays.push_back(density.value);
    arrays.push_back(density.error);
  }

  std::vector<std::string> events_;
  size_t bins_ = 0;
  double range_ = 0;
  std::string value_{};
};

}  // namespace

const ObservableKind observable_events = {
    .name = "events",
    .summary = "rate, Fano factor and waiting times of the model's events",
    .options = "bins range value",
    .make = made<Events>,
    .of = ObservableKind::state,
    .of_events = true,
};

}  // namespace bmsim
