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
  /// Throws Error if there is an option that nobody has read.
  void end() const;

 private:
  const ObservableRequest& request_;
  std::set<std::string> known_;
};

/// The times at which a quantity is recorded: `times` as given, or `count` of them evenly from the end of the transient
/// to the end of the run.
class Times {
 public:
  Times(Options& options, size_t count);
  std::vector<double> at(const PointFacts& facts, std::string_view subject) const;
  /// As a coordinate: the times, or their number where they differ from point to point.
  Coordinate coordinate() const;

 private:
  std::vector<double> given_;
  size_t count_;
};

}  // namespace bmsim
