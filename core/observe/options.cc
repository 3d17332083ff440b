#include "observe/options.h"

#include <algorithm>
#include <cmath>

#include "error.h"

namespace bmsim {

double Options::number(const std::string& option, double otherwise, double least, double most) {
  known_.insert(option);
  const auto found = request_.numbers.find(option);
  if (found == request_.numbers.end()) return otherwise;
  if (found->second.size() != 1)
    fail("observe.{}: {} must be one number, got {}", request_.name, option, found->second.size());
  const double value = found->second[0];
  if (!(value >= least && value <= most))
    fail("observe.{}: {} must be in [{}, {}], got {}", request_.name, option, least, most, value);
  return value;
}

size_t Options::count(const std::string& option, size_t otherwise, size_t least, size_t most) {
  const double value =
      number(option, static_cast<double>(otherwise), static_cast<double>(least), static_cast<double>(most));
  if (value != std::floor(value)) fail("observe.{}: {} must be a whole number, got {}", request_.name, option, value);
  return static_cast<size_t>(value);
}

std::vector<double> Options::ascending(const std::string& option, double least) {
  known_.insert(option);
  const auto found = request_.numbers.find(option);
  if (found == request_.numbers.end()) return {};
  const std::vector<double>& list = found->second;
  if (list.empty()) fail("observe.{}: {} must have at least one number", request_.name, option);
  if (!(list[0] >= least)) fail("observe.{}: {} must be >= {}, got {}", request_.name, option, least, list[0]);
  for (size_t i = 1; i < list.size(); ++i)
    if (!(list[i] > list[i - 1]))
      fail("observe.{}: {} must ascend, got {} after {}", request_.name, option, list[i], list[i - 1]);
  return list;
}

void Options::end() const {
  for (const auto& [option, values] : request_.numbers)
    if (known_.count(option) == 0)
      fail("observe.{}: unknown option '{}'; known: {}", request_.name, option,
           known_.empty() ? "none" : fmt::format("{}", fmt::join(known_, ", ")));
}

Times::Times(Options& options, size_t count)
    : given_(options.ascending("times", 0)), count_(options.count("count", count, 2, 1000000)) {
  if (!given_.empty()) count_ = given_.size();
}

std::vector<double> Times::at(const PointFacts& facts, std::string_view subject) const {
  if (!given_.empty()) {
    if (given_.back() > facts.total * (1 + 1e-12))
      fail("observe.{}: times must be within the run, which lasts {}, got {}", subject, facts.total, given_.back());
    return given_;
  }
  std::vector<double> times(count_);
  for (size_t i = 0; i < count_; ++i)
    times[i] = facts.transient + facts.window() * static_cast<double>(i) / static_cast<double>(count_ - 1);
  return times;
}

Coordinate Times::coordinate() const {
  if (!given_.empty()) return {"time", "t", "time", given_};
  std::vector<double> numbers(count_);
  for (size_t i = 0; i < count_; ++i) numbers[i] = static_cast<double>(i) / static_cast<double>(count_ - 1);
  return {"fraction", "fraction of the window", "", numbers};
}

}  // namespace bmsim
