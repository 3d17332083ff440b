// The objects behind the handles of bmsim.h, and the barrier that no exception passes.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "bmsim/bmsim.h"
#include "capi/session.h"
#include "capi/task.h"
#include "error.h"
#include "interruption.h"
#include "output/labels.h"
#include "output/table.h"
#include "plan/plan.h"

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
  /// Exists from bm_run_start to bm_run_finish. It is the last member, so that it ends before the others, which it
  /// uses.
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
  /// Files that hold all of the result, in place of one that could not be written: "'motor.2.nc'"; "" if there are
  /// none.
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

/// Writes a result in the format of the suffix. If that fails it is kept in another place, which the Error says.
void write_result(const bm_result& result, const std::string& file);

/// Returns the run if no other thread works on it. Throws Error for a run that was started and not finished.
template <class Run> Run& idle(Run* run) {
  if (run->task) fail("run: it was started: end it with bm_run_finish before anything else");
  if constexpr (!std::is_const_v<Run>) run->planned.reset();
  return *run;
}
/// "40 s", "12 min", "3.5 h".
std::string duration_text(double seconds);
/// Executes the run in this thread and reports progress to `tell`, unless that is empty. interrupts: the session's
/// count of interrupts before the run. Throws Error.
std::unique_ptr<bm_result> execute(bm_run& run, uint64_t interrupts, const Task::Tell& tell);

}  // namespace bmsim
