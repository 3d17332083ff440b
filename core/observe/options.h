// Options of an observable, checked: what is not asked for by its reader is an error.
#pragma once
#include <set>

#include "observe/observable.h"

namespace bmsim {

class Options {
 public:
  explicit Options(const ObservableRequest& request) : request_(request) {}
  /// One number, or the default.
  double number(const std::string& option, double otherwise, double least, double most);
  /// A whole number, or the default.
  size_t count(const std::string& option, size_t otherwise, size_t least, size_t most);
  /// A list, ascending; empty if it is not given.
  std::vector<double> ascending(const std::string& option, double least);
  /// One of these words; the first if it is not given.
  std::string word(const std::string& option, std::initializer_list<std::string_view> words);
  /// true or false: 1 or 0.
  bool flag(const std::string& option, bool otherwise);
  const std::string& subject() const { return request_.name; }
  /// Throws Error if there is an option that nobody has read.
  void end() const;

 private:
  /// Null if it is not given.
  const std::vector<double>* numbers(const std::string& option);

  const ObservableRequest& request_;
  std::set<std::string> known_;
};

/// The times at which a quantity is recorded: `times` as given (after which given() is true), or `count` of them over
/// the window, with both its ends: evenly, or from 1/1000 of it on in equal ratios.
class Times {
 public:
  /// spacings: of "linear" and "logarithmic" those that the option `spacing` may have, the default first.
  Times(Options& options, size_t count, std::initializer_list<std::string_view> spacings = {"linear"});
  std::vector<double> at(const PointFacts& facts, std::string_view subject) const;
  bool given() const { return !given_.empty(); }
  size_t count() const { return count_; }
  /// As a coordinate: the times as they are recorded; where these differ from point to point those that were asked for,
  /// or their places in the window.
  Coordinate coordinate(const PointFacts& facts) const;

 private:
  double place(size_t i) const;

  std::vector<double> given_;
  size_t count_;
  bool logarithmic_;
};

/// A coordinate of times made one of what has passed since the first of them; times: as they are asked for.
Coordinate since_first(Coordinate coordinate, std::span<const double> times, const PointFacts& facts);

}  // namespace bmsim
