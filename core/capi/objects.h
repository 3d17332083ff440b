// What the handles of bmsim.h point to, and the barrier that no exception passes.
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
#include "engine/plan.h"
#include "error.h"
#include "output/labels.h"
#include "output/table.h"

struct bm_model {
  bmsim::Model model;
};

struct bm_run {
  bmsim::Model model;
  bmsim::Sweep sweep;
  bmsim::RunOptions options;
  std::string output, script;
  bool overwrite = false;
  std::string plan_text;
  std::shared_ptr<bmsim::Session> session;
  /// By bm_run_cancel, until the run that it is meant for has ended.
  std::atomic<bool> cancelled{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
  bm_progress progress{};  ///< as bm_run_poll saw it last
  /// Of bm_run_start, until bm_run_finish; last, so that it ends before what it works with.
  std::unique_ptr<bmsim::Task> task;
};

struct bm_result {
  bmsim::Table table;
  bmsim::Info info;
  bmsim::Sweep sweep;
  std::string script;
  std::vector<bmsim::Array> arrays;
  /// Parameters that are in no column, evaluated on demand.
  bmsim::Plan plan;
  std::map<std::string, std::vector<double>, std::less<>> evaluated;
  std::map<std::string, bmsim::Label, std::less<>> labels;
  std::shared_ptr<bmsim::Session> session;
  bool dry = false;
  bool overwrite = false;  ///< files that exist are replaced
};

namespace bmsim {

void set_failure(const char* message, bm_status status) noexcept;

constexpr const char* out_of_memory =
    "out of memory on this computer; lower paths, or what is recorded (times, bins, points of the sweep); --dry-run "
    "says "
    "what a run takes";

/// Runs f; what it throws becomes bm_error() and the status.
template <class F> bm_status guarded(F f) noexcept {
  try {
    f();
    return BM_OK;
  } catch (const Error& error) {
    set_failure(error.what(), error.status());
    return error.status();
  } catch (const std::bad_alloc&) {
    set_failure(out_of_memory, BM_ERROR);
  } catch (const std::length_error&) {
    set_failure(out_of_memory, BM_ERROR);
  } catch (const std::exception& error) {
    set_failure(error.what(), BM_ERROR);
  }
  return BM_ERROR;
}

/// f's pointer; null if it throws.
template <class F> auto guarded_pointer(F f) noexcept -> decltype(f()) {
  decltype(f()) pointer = nullptr;
  guarded([&] { pointer = f(); });
  return pointer;
}

/// By suffix; replaces a file that exists.
void write_result(const bm_result& result, const std::string& file);

/// The run, which no other thread is at work on. Throws Error for one that was started and not finished.
template <class Run> Run& idle(Run* run) {
  if (run->task) fail("run: it was started: end it with bm_run_finish before anything else");
  return *run;
}
/// Runs it all, in this thread, and tells how far it is, unless tell is empty. interrupts: the session's number before.
/// Throws Error.
std::unique_ptr<bm_result> execute(bm_run& run, uint64_t interrupts, const Task::Tell& tell);

}  // namespace bmsim
