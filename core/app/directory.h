// A directory for temporary files.
#pragma once
#include <bmsim/bmsim.h>

#include <filesystem>

#include "failure.h"

namespace bmsim::app {

/// A directory that is removed with all that is in it at the end, or by a later process if this one is killed. Throws
/// Failure.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(const char* purpose) : directory_(bm_directory_new(purpose)) {
    if (!directory_) throw Failure(bm_error(), bm_last_status());
  }
  std::filesystem::path path() const { return bm_directory_path(directory_.get()); }

 private:
  struct Free {
    void operator()(bm_directory* directory) const { bm_directory_free(directory); }
  };
  std::unique_ptr<bm_directory, Free> directory_;
};

}  // namespace bmsim::app
