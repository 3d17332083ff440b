#include "observe/options.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "nearest_name.h"

namespace bmsim {

const std::vector<double>* Options::numbers(const std::string& option) {
  known_.insert(option);
  if (const auto word = request_.words.find(option); word != request_.words.end())
    fail("observe.{}: {} must be a number or a list of numbers, got '{}'", request_.name, option, word->second);
  const auto found = request_.numbers.find(option);
  return found == request_.numbers.end() ? nullptr : &found->second;
}

double Options::number(const std::string& option, double otherwise, double least, double most) {
  const std::vector<double>* given = numbers(option);
  if (given == nullptr) return otherwise;
  if (given->size() != 1) fail("observe.{}: {} must be one number, got {}", request_.name, option, given->size());
  const double value = given->front();
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
  const std::vector<double>* given = numbers(option);
  if (given == nullptr) return {};
  const std::vector<double>& list = *given;
  if (list.empty()) fail("observe.{}: {} must have at least one number", request_.name, option);
  if (!(list[0] >= least)) fail("observe.{}: {} must be >= {}, got {}", request_.name, option, least, list[0]);
  for (size_t i = 1; i < list.size(); ++i)
    if (!(list[i] > list[i - 1]))
      fail("observe.{}: {} must ascend, got {} after {}", request_.name, option, list[i], list[i - 1]);
  return list;
}

std::optional<std::array<double, 2>> Options::range(const std::string& option) {
  const std::vector<double> ends = ascending(option, -1e300);
  if (ends.empty()) return {};
  if (ends.size() != 2)
    fail("observe.{}: {} must be two numbers, from and to, and has {}", request_.name, option, ends.size());
  return {{ends[0], ends[1]}};
}

std::string Options::word(const std::string& option, std::initializer_list<std::string_view> words) {
  known_.insert(option);
  const auto found = request_.words.find(option);
  if (found == request_.words.end()) {
    if (request_.numbers.contains(option))
      fail("observe.{}: {} must be one of {}, got a number", request_.name, option, fmt::join(words, ", "));
    return std::string(*words.begin());
  }
  if (std::ranges::find(words, found->second) == words.end())
    fail("observe.{}: {} must be one of {}, got '{}'", request_.name, option, fmt::join(words, ", "), found->second);
  return found->second;
}

bool Options::flag(const std::string& option, bool otherwise) {
  const auto refuse = [&](const auto& got) {
    fail("observe.{}: {} must be true or false, got {}", request_.name, option, got);
  };
  if (const auto word = request_.words.find(option); word != request_.words.end()) refuse(word->second);
  const std::vector<double>* given = numbers(option);
  if (given == nullptr) return otherwise;
  if (given->size() != 1) refuse(fmt::format("{} numbers", given->size()));
  if (given->front() != 0 && given->front() != 1) refuse(given->front());
  return given->front() == 1;
}

void Options::end() const {
  const auto check = [&](const std::string& option) {
    if (!known_.contains(option))
      fail("observe.{}: unknown option '{}'{}", request_.name, option,
           suggestion(option, std::vector<std::string>(known_.begin(), known_.end())));
  };
  for (const auto& [option, values] : request_.numbers) check(option);
  for (const auto& [option, word] : request_.words) check(option);
}

double first_time(std::span<const double> times) {
  const auto first = std::ranges::find_if(times, [](double time) { return time > 0; });
  return first == times.end() ? 0 : *first;
}

std::vector<double> evenly_spaced(const PointFacts& facts, double step, size_t count) {
  std::vector<double> times(count);
  for (size_t i = 0; i < count; ++i) times[i] = std::min(facts.transient + step * static_cast<double>(i), facts.total);
  return times;
}

double Spacing::at(const PointFacts& facts) const {
  if (given_ > 0 && given_ < facts.dt * (1 - 1e-9))
    fail(
        "observe.{}: step must be at least the step of the run, dt = {:.6g}, got {}; give a longer step, or the run "
        "a shorter dt",
        subject_, facts.dt, given_);
  return facts.dt * std::max(1.0, std::round(asked() / facts.dt));
}

Times::Times(Options& options, size_t count, std::initializer_list<std::string_view> spacings)
    : given_(options.ascending("times", 0)), count_(options.count("count", count, 2, 1000000)) {
  const std::string spacing = spacings.size() > 1 ? options.word("spacing", spacings) : std::string(*spacings.begin());
  logarithmic_ = spacing == "logarithmic";
  if (!given_.empty()) count_ = given_.size();
}

std::vector<double> Times::at(const PointFacts& facts, std::string_view subject) const {
  if (!given_.empty()) {
    if (given_.back() > facts.total + facts.dt / 2)  // up to here the nearest step is the last one
      fail("observe.{}: times must be within the run, which lasts {}, got {}", subject, facts.total, given_.back());
    return given_;
  }
  std::vector<double> times(count_);
  for (size_t i = 0; i < count_; ++i) times[i] = facts.transient + facts.window() * place(i);
  return times;
}

double Times::place(size_t i) const {
  if (!logarithmic_) return static_cast<double>(i) / static_cast<double>(count_ - 1);
  if (i == 0 || count_ == 2) return static_cast<double>(i);
  return std::pow(1000, static_cast<double>(i - 1) / static_cast<double>(count_ - 2) - 1);
}

Coordinate Times::coordinate(const PointFacts& facts) const {
  Coordinate result{"time", "t", "time", {}};
  if (facts.same_times) {
    for (const double time : at(facts, "times")) result.values.push_back(facts.recorded(time));
  } else if (!given_.empty()) {
    result = {"asked_time", "t, to the next step", "time", given_};
  } else {
    result = {"fraction", "fraction of the window", "", std::vector<double>(count_)};
    for (size_t i = 0; i < count_; ++i) result.values[i] = place(i);
  }
  return result;
}

void check_survivors(std::string_view subject, const Times& times, const PointFacts& facts) {
  if (facts.exits.there && !times.given())
    fail("observe.{}: paths end at walls: times must be given, at each of which it is of those that are still there",
         subject);
}

Coordinate since_first(Coordinate coordinate, std::span<const double> times, const PointFacts& facts) {
  for (size_t i = 0; facts.same_times && i < times.size(); ++i) coordinate.values[i] = facts.recorded(times[i]);
  const double first = coordinate.values.front();
  coordinate.values.erase(coordinate.values.begin());
  for (double& time : coordinate.values) time -= first;
  if (coordinate.name != "fraction") coordinate.name += "_since", coordinate.label = "t - t_0";
  return coordinate;
}

}  // namespace bmsim
