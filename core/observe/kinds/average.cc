// Averages of formulas of the state over the window and the paths, one column for each.
#include "error.h"
#include "observe/known.h"

namespace bmsim {

namespace {

class Average : public Observable {
 public:
  explicit Average(const ObservableRequest& request) {
    if (!request.numbers.empty())
      fail("observe.average: {} must be a formula, got a number", request.numbers.begin()->first);
    for (const auto& [column, formula] : request.words) columns_.push_back(column), formulas_.push_back(formula);
    if (columns_.empty()) fail("observe.average: must be given formulas by name, as in {{ x2 = \"x^2\" }}");
  }
  std::string name() const override { return "average"; }
  std::vector<std::string> columns() const override { return columns_; }
  ColumnLabel label(const std::string& column) const override {
    for (size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i] == column) return {"<" + formulas_[i] + ">", "", "average of " + formulas_[i]};
    return Observable::label(column);
  }
  bool of_stationary_state() const override { return true; }
  std::vector<AverageOf> averages() const override {
    std::vector<AverageOf> averages;
    for (size_t i = 0; i < columns_.size(); ++i) averages.push_back({columns_[i], formulas_[i]});
    return averages;
  }
  Needs needs() const override { return {.windows = true, .steps = true, .formulas = formulas_}; }
  std::vector<Counter> counters(const PointFacts&) const override {
    const size_t n = columns_.size();
    Counter counter{.name = "average",
                    .type = "Average",
                    .state = {{FieldType::number, "sum", "sums over the steps of the window", n, true}},
                    .apart = {{FieldType::number, "half", "what they were at the middle of the window", n, true}},
                    .motion = {{FieldType::real, "average", "the same in this block of steps", n, true}}};
    for (const char* value : {"value", "half"})
      for (size_t i = 0; i < n; ++i) counter.values.push_back(fmt::format("{}{}", value, i));
    return {counter};
  }
  std::vector<HalvedSum> halved() const override {
    std::vector<HalvedSum> sums;
    for (size_t i = 0; i < columns_.size(); ++i)
      sums.push_back({fmt::format("average.value{}", i), fmt::format("average.half{}", i), columns_[i]});
    return sums;
  }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    for (size_t i = 0; i < columns_.size(); ++i) {
      const Estimate sum = mean_of_skewed(m.window.counted.at(fmt::format("average.value{}", i)));
      columns.push_back({sum.value / m.window.steps, sum.error / m.window.steps});
    }
  }

 private:
  std::vector<std::string> columns_, formulas_;
};

}  // namespace

const ObservableKind observable_average = {
    .name = "average",
    .summary = "the mean of formulas over the window",
    .make = made<Average>,
    .of = ObservableKind::state,
};

}  // namespace bmsim
