// The objects behind the handles of bmsim.h, and the barrier that no exception passes.
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "bmsim/bmsim.h"
#include "capi/session.h"
#include "engine/run.h"
#include "error.h"
#include "interruption.h"
#include "output/dataset.h"
#include "output/table.h"
#include "plan/plan.h"

namespace bmsim {

/// A run in a thread of its own, from bm_run_start to bm_run_finish.
class Task {
 public:
  using Tell = std::function<void(const bm_progress&)>;
  using Work = std::function<bm_result*(const Tell& tell)>;

  /// Starts `work`, which returns null on failure, with bm_error() of its thread set. Throws std::system_error.
  explicit Task(Work work);
  /// Waits for the end. A result that nobody took is freed.
  ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// Waits at most that many seconds for the end; returns whether the work has ended.
  bool wait(double seconds);
  /// The progress reported last.
  bm_progress progress() const;
  /// Waits for the end and returns the result, or null on failure, with the reason in bm_error() of this thread.
  bm_result* take();

 private:
  void run(const Work& work);
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable ended_;
  bool done_ = false;
  bm_progress progress_;
  bm_result* result_ = nullptr;
  std::string error_;
  bm_status status_ = BM_OK;
  std::thread thread_;
};

}  // namespace bmsim

struct bm_model {
  bmsim::Model model;
};

struct bm_run {
  bmsim::Model model;
  bmsim::Sweep sweep;
  bmsim::RunOptions options;
  std::string plan_text;
  /// The plan that bm_run_plan has made, until something else is asked of the run; with the session's settings then.
  struct Planned {
    bmsim::Plan plan;
    std::map<std::string, std::string, std::less<>> settings;
  };
  std::optional<Planned> planned;
  std::shared_ptr<bmsim::Session> session;
  /// Set by bm_run_cancel, cleared when the run has ended.
  std::atomic<bool> cancelled{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
  bm_progress progress{};  ///< as of the last bm_run_poll
  /// Exists from bm_run_start to bm_run_finish. The last member, so that it ends before the others, which it uses.
  std::unique_ptr<bmsim::Task> task;
};

struct bm_result {
  bmsim::Table table;
  bmsim::Info info;
  bmsim::Sweep sweep;
  std::string script;
  std::vector<bmsim::Array> arrays;
  /// For parameters without a column, which are evaluated on demand.
  bmsim::Plan plan;
  std::map<std::string, std::vector<double>, std::less<>> evaluated;
  std::map<std::string, bmsim::Label, std::less<>> labels;
  std::vector<std::pair<std::string, std::string>> texts;  ///< empty until they are asked for
  std::shared_ptr<bmsim::Session> session;
  bool dry = false;
  bool overwrite = false;  ///< files that exist are replaced
  /// Files that hold all of the result in place of one that could not be written: "'motor.2.nc'"; "" if there are none.
  mutable std::string kept;
};

namespace bmsim {

/// The model's values at a point of a sweep; names that are not parameters (dt, spp, time, periods) are ignored.
ModelValues values_at(Model model, const Sweep& sweep, size_t point);

void set_failure(const char* message, bm_status status) noexcept;

constexpr const char* out_of_memory =
    "out of memory on this computer; lower paths, or what is recorded (times, bins, points of the sweep); "
    "--dry-run says what a run takes";

/// Calls f; an exception becomes bm_error() and the status.
template <class F> bm_status guarded(F f) noexcept {
  try {
    f();
    return BM_OK;
  } catch (const Error& error) {
    set_failure(error.what(), error.status());
    return error.status();
  } catch (const Interruption& interruption) {
    set_failure(interruption.what(), interruption.status());
    return interruption.status();
  } catch (const std::bad_alloc&) {
    set_failure(out_of_memory, BM_ERROR);
  } catch (const std::length_error&) {
    set_failure(out_of_memory, BM_ERROR);
  } catch (const std::exception& error) {
    set_failure(error.what(), BM_ERROR);
  }
  return BM_ERROR;
}

/// Returns f's pointer, or null if f throws.
template <class F> auto guarded_pointer(F f) noexcept -> decltype(f()) {
  decltype(f()) pointer = nullptr;
  guarded([&] { pointer = f(); });
  return pointer;
}

/// Returns the text that f makes, until the next call from the same place in this thread; null if f throws.
template <class F> const char* guarded_text(F f) noexcept {
  thread_local std::string text;
  return guarded_pointer([&] {
    text = f();
    return text.c_str();
  });
}

/// Writes a result in the format of the suffix. If that fails it is kept in another place, which the Error says.
void write_result(const bm_result& result, const std::string& file);

/// Returns the run if no other thread works on it. Throws Error for a run that was started and not finished.
template <class Run> Run& idle(Run* run) {
  if (run->task) fail("run: it was started: end it with bm_run_finish before anything else");
  if constexpr (!std::is_const_v<Run>) run->planned.reset();
  return *run;
}
/// What a run will cost, on one line: steps, time, the slowest point and why it is slow, and what would be cheaper.
/// Plans with other options tell that, of the slowest point alone if there are many. "" for less than a minute.
std::string cost_text(const bm_run& run, const Plan& plan, const Expected& expected);
/// "40 s", "12 min", "3.5 h".
std::string duration_text(double seconds);
/// Executes the run in this thread and reports progress to `tell`, unless that is empty. interrupts: the session's
/// count of interrupts before the run. Throws Error.
std::unique_ptr<bm_result> execute(bm_run& run, uint64_t interrupts, const Task::Tell& tell);

}  // namespace bmsim
