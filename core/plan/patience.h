// Warns of a loop over points that takes long.
#pragma once
#include <chrono>
#include <cstddef>
#include <string>

namespace bmsim {

class Patience {
 public:
  /// what: takes long, "the evaluation" in the warning.
  Patience(std::string what, size_t points);
  /// To be called after each point. Warns once, when enough time has passed to know that all points take long.
  void done(size_t point);

 private:
  std::string what_;
  size_t points_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool told_ = false;
};

}  // namespace bmsim
