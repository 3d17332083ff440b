// Options of an observable, checked: an option that the observable does not read is an error.
#pragma once
#include <array>
#include <optional>
#include <set>

#include "observe/observable.h"

namespace bmsim {

class Options {
 public:
  Options(const ObservableRequest& request) : request_(request) {}
  /// One number in [least, most], or the default.
  double number(const std::string& option, double otherwise, double least, double most);
  /// A whole number, or the default.
  size_t count(const std::string& option, size_t otherwise, size_t least, size_t most);
  /// An ascending list, from `least` on; empty if it is not given.
  std::vector<double> ascending(const std::string& option, double least);
  /// A range [from, to]; nothing if it is not given.
  std::optional<std::array<double, 2>> range(const std::string& option);
  /// One of these words; the first if it is not given.
  std::string word(const std::string& option, std::initializer_list<std::string_view> words);
  /// A flag, 1 or 0; or the default.
  bool flag(const std::string& option, bool otherwise);
  const std::string& subject() const { return request_.name; }
  /// Names an option that is read by other means.
  void know(const std::string& option) { known_.insert(option); }
  /// Throws Error if there is an option that has not been read.
  void end() const;

 private:
  /// The numbers of an option; null if it is not given.
  const std::vector<double>* numbers(const std::string& option);

  const ObservableRequest& request_;
  std::set<std::string> known_;
};

/// The first of these times that is not 0, or 0 if there is none.
double first_time(std::span<const double> times);

/// `count` times, `step` apart, from the beginning of the window on; none is after the end of the run.
std::vector<double> evenly_spaced(const PointFacts& facts, double step, size_t count);

/// The option `step` of correlation and spectrum: the time between what they record of a path.
class Spacing {
 public:
  explicit Spacing(Options& options) : subject_(options.subject()), given_(options.number("step", 0, 1e-300, 1e300)) {}
  /// The step as given, or the default.
  double asked() const { return given_ > 0 ? given_ : 0.1; }
  /// The step at a point, in whole steps of the run, so that it is the same everywhere. Throws Error if it is shorter.
  double at(const PointFacts& facts) const;

 private:
  std::string subject_;
  double given_;  // 0: not given
};

/// Times at which a quantity is recorded: `times` as given (given() is true then), or `count` times over the window
/// with both of its ends. These are evenly spaced, or in equal ratios from 1/1000 of the window on.
class Times {
 public:
  /// spacings: the allowed values of the option `spacing`, of "linear" and "logarithmic", the default first.
  Times(Options& options, size_t count, std::initializer_list<std::string_view> spacings = {"linear"});
  std::vector<double> at(const PointFacts& facts, std::string_view subject) const;
  bool given() const { return !given_.empty(); }
  double first() const { return first_time(given_); }  ///< Needs::first_time
  size_t count() const { return count_; }
  /// The recorded times as a coordinate. Where points differ: times asked for, or fractions of the window.
  Coordinate coordinate(const PointFacts& facts) const;

 private:
  double place(size_t i) const;

  std::vector<double> given_;
  size_t count_;
  bool logarithmic_;
};

/// Throws Error where paths end at walls and no times are given: each time sees other paths, those that have not ended.
void check_survivors(std::string_view subject, const Times& times, const PointFacts& facts);

/// Turns a coordinate of times into times since the first. times: as asked for.
Coordinate since_first(Coordinate coordinate, std::span<const double> times, const PointFacts& facts);

}  // namespace bmsim
