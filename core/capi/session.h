// What a bm_session holds: options that win over what runs set, who hears of progress and warnings, interrupts, records
// and redirection of files. Shared by the session's handle and the runs and results made with it.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "bmsim/bmsim.h"
#include "engine/plan.h"
#include "engine/run.h"

namespace bmsim {

/// May be used by several threads at once. Callbacks are called without any lock held.
class Session {
 public:
  /// Throws Error, status usage, for an unknown option and a number that is none.
  void set(std::string_view option, const std::string& value);
  /// A run's options after the session's.
  RunOptions overridden(const RunOptions& options) const;
  bool overwrites() const;  ///< files that exist are replaced
  bool strict() const;      ///< a warning is an error

  void on_progress(bm_progress_callback report, void* user);
  void on_warning(bm_warning_callback report, void* user);
  bool hears_progress() const;
  /// Does nothing where nobody listens.
  void tell(const bm_progress& progress) const;
  void warn(const std::string& warning) const;

  /// How often it was interrupted: a run that sees another number than at its beginning ends. Async-signal-safe.
  uint64_t interrupts() const { return interrupts_.load(); }
  void interrupt() { interrupts_.fetch_add(1); }

  void record(const std::string& name, const std::string& text);
  std::map<std::string, std::string, std::less<>> records() const;
  void redirect(const std::string& directory);
  bool redirects() const;
  /// Where a file goes that is named so: there, unless files are redirected.
  std::string place_of(const std::string& file) const;
  /// Throws Error if the file cannot be written, or exists and is not to be replaced.
  void check_output_file(const std::string& file, bool overwrite) const;

 private:
  using Texts = std::map<std::string, std::string, std::less<>>;
  bool has(std::string_view option) const;
  mutable std::mutex mutex_;  // of all below but interrupts_
  Texts options_, records_;
  std::string redirection_;
  bm_progress_callback progress_ = nullptr;
  bm_warning_callback warning_ = nullptr;
  void *progress_user_ = nullptr, *warning_user_ = nullptr;
  std::atomic<uint64_t> interrupts_{0};
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
};

/// The session of a handle; one of its own, that changes nothing, for null.
std::shared_ptr<Session> session_of(const bm_session* handle);

}  // namespace bmsim

struct bm_session {
  std::shared_ptr<bmsim::Session> shared;
};
