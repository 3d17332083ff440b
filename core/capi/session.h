// The contents of a bm_session: options that override those of runs, listeners for progress and warnings, interrupts,
// recorded texts and redirection of files. Shared by the handle and by the runs and results made with it.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "bmsim/bmsim.h"
#include "engine/run.h"
#include "files/new_file.h"
#include "interruption.h"
#include "journal/journal.h"
#include "plan/plan.h"

namespace bmsim {

/// May be used by several threads at once. Callbacks are called without any lock held.
class Session {
 public:
  /// Sets an option; an empty value unsets it. Throws Error, status usage: no such option, or not a number.
  void set(std::string_view option, const std::string& value);
  /// `options`, overridden by the options of the session.
  RunOptions overridden(const RunOptions& options) const;
  /// Options that are set, by name.
  std::map<std::string, std::string, std::less<>> settings() const;
  bool strict() const;  ///< a warning is an error

  /// The journal that option checkpoint asks for; null without it. Throws Error as Journal does.
  Journal* journal();

  void on_progress(bm_progress_callback report, void* user);
  void on_warning(bm_warning_callback report, void* user);
  void on_notice(bm_warning_callback report, void* user);
  bool hears_progress() const;
  // These do nothing if nobody listens.
  void tell(const bm_progress& progress) const;
  void warn(const std::string& warning) const;
  void notify(const std::string& notice) const;
  bool hears_notices() const;

  /// Number of interrupts so far: a run ends when it changes. Async-signal-safe.
  uint64_t interrupts() const { return interrupts_.load(); }
  /// Ends runs and other work. Returns whether any is under way.
  bool interrupt() {
    interrupts_.fetch_add(1);
    return runs_.load() > 0;
  }
  void begin_run() { runs_.fetch_add(1); }
  void end_run() { runs_.fetch_sub(1); }

  void record(const std::string& name, const std::string& text);
  std::map<std::string, std::string, std::less<>> records() const;
  void redirect(const std::string& directory);
  bool redirects() const;
  /// The path for a file of this name: the name itself, unless files are redirected.
  std::string place_of(const std::string& file) const;
  /// Throws Error if the file cannot be written, or exists and must not be replaced.
  void check_output_file(const std::string& file, bool overwrite) const;
  /// What happens to an existing file when a result is written to it.
  Existing existing(bool overwrite) const;

 private:
  using Texts = std::map<std::string, std::string, std::less<>>;
  /// A function of the front end, and what it gets first.
  template <class Callback> struct Listener {
    Callback report = nullptr;
    void* user = nullptr;
  };
  void say(const Listener<bm_warning_callback>& listener, const std::string& text) const;
  bool has(std::string_view option) const;
  mutable std::mutex mutex_;  // guards the members below except interrupts_ and runs_
  Texts options_, records_;
  std::string redirection_;
  std::unique_ptr<Journal> journal_;
  const std::shared_ptr<std::atomic<bool>> finish_compilation_ = std::make_shared<std::atomic<bool>>(false);
  Listener<bm_progress_callback> progress_;
  Listener<bm_warning_callback> warning_, notice_;
  std::atomic<uint64_t> interrupts_{0}, runs_{0};
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
};

/// Work of this thread other than a run. The session's interrupts end it, as they end runs.
class Interruptible {
 public:
  /// subject: begins the message, "theory".
  Interruptible(Session& session, const std::string& subject)
      : session_(session), scope_([&session, subject, before = session.interrupts()] {
          if (session.interrupts() != before) throw Interruption(subject + ": interrupted");
        }) {
    session.begin_run();
  }
  ~Interruptible() { session_.end_run(); }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  Session& session_;
  InterruptionScope scope_;
};

/// The session of a handle; for null a new one with nothing set.
std::shared_ptr<Session> session_of(const bm_session* handle);

}  // namespace bmsim

struct bm_session {
  std::shared_ptr<bmsim::Session> shared;
};
