// A run in a thread of its own, from bm_run_start to bm_run_finish.
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "bmsim/bmsim.h"

namespace bmsim {

class Task {
 public:
  using Tell = std::function<void(const bm_progress&)>;
  using Work = std::function<bm_result*(const Tell& tell)>;

  /// Starts `work`, which returns null on failure, with bm_error() and bm_last_status() of its thread set. Throws
  /// std::system_error if no thread can be created.
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
