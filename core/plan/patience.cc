#include "plan/patience.h"

#include <fmt/format.h>

#include "backend/warn.h"

namespace bmsim {

namespace {
constexpr double soon = 2, long_time = 20;  // seconds
}

Patience::Patience(std::string what, size_t points) : what_(std::move(what)), points_(points) {}

void Patience::done(size_t point) {
  if (told_) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  if (seconds < soon) return;
  told_ = true;
  const double total = seconds / static_cast<double>(point + 1) * static_cast<double>(points_);
  if (total > long_time) warn(fmt::format("run: {} of {} points takes about {:.2g} s", what_, points_, total));
}

}  // namespace bmsim
