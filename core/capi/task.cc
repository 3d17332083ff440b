// bm_run_start, _poll, _cancel, _finish.
#include "capi/task.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "capi/objects.h"

namespace bmsim {

Task::Task(Work work)
    : progress_{0, 0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()},
      thread_([this, work = std::move(work)] { run(work); }) {}

Task::~Task() {
  if (thread_.joinable()) thread_.join();
  bm_result_free(result_);
}

void Task::run(const Work& work) {
  bm_result* result = work([this](const bm_progress& progress) {
    const std::lock_guard lock(mutex_);
    progress_ = progress;
  });
  const std::lock_guard lock(mutex_);
  result_ = result;
  if (result == nullptr) status_ = bm_last_status(), error_ = bm_error();
  done_ = true;
  ended_.notify_all();
}

bool Task::wait(double seconds) {
  const auto most = std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e6));
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, most, [this] { return done_; });
}

bm_progress Task::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

bm_result* Task::take() {
  if (thread_.joinable()) thread_.join();
  if (result_ == nullptr) set_failure(error_.c_str(), status_);
  return std::exchange(result_, nullptr);
}

}  // namespace bmsim

using namespace bmsim;

extern "C" {

bm_status bm_run_start(bm_run* run) {
  return guarded([&] {
    bm_run& idle_run = idle(run);  // throws before there is a thread
    idle_run.task =
        std::make_unique<Task>([&idle_run, before = idle_run.session->interrupts()](const Task::Tell& tell) {
          return guarded_pointer([&] { return execute(idle_run, before, tell).release(); });
        });
  });
}

int bm_run_poll(bm_run* run, double seconds, const bm_progress** progress) {
  if (!run->task) return 1;
  const bool done = run->task->wait(seconds);
  run->progress = run->task->progress();
  if (progress != nullptr) *progress = &run->progress;
  return done ? 1 : 0;
}

void bm_run_cancel(bm_run* run) { run->cancelled.store(true); }

bm_result* bm_run_finish(bm_run* run) {
  if (!run->task) {
    set_failure("run: it was not started: see bm_run_start", BM_ERROR);
    return nullptr;
  }
  bm_result* result = run->task->take();
  run->task.reset();
  return result;
}

}  // extern "C"
