// <|x(t) - x(t_0)|^q> as a function of t - t_0, where t_0 is the first time, and the exponent nu of its growth as t^(q
// nu): 1/2 for normal diffusion, 1 for ballistic motion, 1/alpha for Levy flights (q < alpha).
#include "error.h"
#include "observe/known.h"
#include "observe/options.h"
#include "observe/probes.h"

namespace bmsim {

namespace {

/// Slope of ln y over ln t by least squares; nan if a y is not > 0 or all t are the same.
double logarithmic_slope(std::span<const double> t, std::span<const double> y) {
  const double n = static_cast<double>(t.size());
  double mean_t = 0, mean_y = 0, tt = 0, ty = 0;
  for (size_t i = 0; i < t.size(); ++i) mean_t += std::log(t[i]) / n, mean_y += std::log(y[i]) / n;
  for (size_t i = 0; i < t.size(); ++i) {
    const double d = std::log(t[i]) - mean_t;
    tt += d * d, ty += d * (std::log(y[i]) - mean_y);
  }
  return ty / tt;
}

class FractionalMoment : public Observable {
 public:
  explicit FractionalMoment(Options options)
      : q_(options.number("q", 1, 1e-3, 100)), times_(options, 41, {"logarithmic", "linear"}) {
    options.end();
    if (times_.count() < 4)
      fail("observe.fractional_moment: times must be at least 4, t_0 among them, got {}", times_.count());
  }
  std::string name() const override { return "fractional_moment"; }
  std::vector<std::string> columns() const override { return {"growth_exponent"}; }
  ColumnLabel label(const std::string&) const override {
    return {"nu", "", fmt::format("exponent of growth: <|x - x(t_0)|^q> as t^(q nu), q = {}", q_)};
  }
  Needs needs() const override { return {.law = true}; }
  std::vector<double> times(const PointFacts& facts) const override {
    std::vector<double> times = times_.at(facts, name());
    for (size_t i = 1; i < times.size(); ++i) times[i] = std::max(times[i], std::min(times[0] + facts.dt, facts.total));
    return times;
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    const Coordinate time = since_first(times_.coordinate(facts), times(facts), facts);
    const std::string label = fmt::format("<|x - x(t_0)|^{}>", q_),
                      unit = q_ == 1 ? "length" : fmt::format("length^{}", q_);
    return with_errors({name(), label, unit, {time}, {}}, {{"fractional_moment_time", "t - t_0", "time", {time}, {}}});
  }
  std::vector<size_t> pooled_columns() const override { return {0}; }
  std::vector<double> pooled_numbers(const Measured& m) const override {
    const std::vector<double>& times = m.recording.times();
    std::vector<double> numbers = m.recording.absolute_moments(q_, [](const auto&) { return 0.0; }).value;
    numbers.pop_back();
    numbers.erase(numbers.begin(), numbers.begin() + static_cast<ptrdiff_t>(first_of_late(times.size())));
    for (size_t i = first_of_late(times.size()); i < times.size(); ++i) numbers.push_back(times[i] - times.front());
    return numbers;
  }
  std::vector<ColumnEstimate> of_pooled(const Pooled& pooled, const PointFacts&) const override {
    return {{0, pooled.function([this](const std::vector<double>& numbers) {
               const size_t late = numbers.size() / 2;  // moments at the late times, then these times
               return logarithmic_slope(std::span(numbers).last(late), std::span(numbers).first(late)) / q_;
             })}};
  }
  void measure(const Measured& m, std::vector<Estimate>& columns,
               std::vector<std::vector<double>>& arrays) const override {
    std::vector<double> t = m.recording.times();
    for (double& time : t) time -= m.recording.times().front();
    const size_t later = first_of_late(t.size());
    const auto exponent = [&](const std::vector<double>& values) {
      return logarithmic_slope(std::span(t).subspan(later), std::span(values).subspan(later)) / q_;
    };
    const Grouped moments = m.recording.absolute_moments(q_, exponent);
    columns = {{moments.value.back(), moments.error.back()}};
    arrays = {{t.begin() + 1, t.end()},
              {moments.value.begin() + 1, moments.value.end() - 1},
              {moments.error.begin() + 1, moments.error.end() - 1}};
  }

  Sampling sampling() const override { return Sampling::since_first; }
  double order(const std::string& name) const override { return name == "fractional_moment_time" ? 0 : q_; }

 private:
  /// The first time of the later half, in which the exponent is fitted.
  static size_t first_of_late(size_t times) { return 1 + (times - 1) / 2; }
  double q_;
  Times times_;
};

}  // namespace

const ObservableKind observable_fractional_moment = {
    .name = "fractional_moment",
    .summary = "<|x(t) - x(t_0)|^q>, and the exponent of its growth",
    .options = "count q spacing times",
    .make = made<FractionalMoment>,
};

}  // namespace bmsim
