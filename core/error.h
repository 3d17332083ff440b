// The one error type. The message has subject, rule and value: "poisson: lambda must be > 0, got -1".
#pragma once
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "bmsim/bmsim.h"

namespace bmsim {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, bm_status status = BM_ERROR)
      : std::runtime_error(message), status_(status) {}
  bm_status status() const { return status_; }

 private:
  bm_status status_;
};

/// Throws Error with a formatted message, status BM_ERROR.
template <class... Args> [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}
/// Throws Error with a formatted message, status BM_DEVICE_ERROR.
template <class... Args> [[noreturn]] void fail_device(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...), BM_DEVICE_ERROR);
}

}  // namespace bmsim
