// Threads that work through numbered tasks. Results do not depend on which thread does which task.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace bmsim {

class ThreadPool {
 public:
  /// threads: 0 for one per core. Throws Error (status device) if the system refuses that many.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }
  /// Calls task(index, thread) for every index in [0, count) and returns when all are done. thread < size(), and 0 for
  /// the calling thread. Several threads may call at once: idle workers of one call go on to another.
  void run(size_t count, const std::function<void(size_t index, unsigned thread)>& task);

 private:
  struct Job {
    const std::function<void(size_t, unsigned)>& task;
    size_t count;
    std::atomic<size_t> next{0};
    size_t busy = 0;  ///< threads at work on it
  };
  void work(unsigned thread);
  void take_part(Job& job, unsigned thread, std::unique_lock<std::mutex>& lock);
  void stop();

  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::vector<Job*> jobs_;  // jobs with tasks not yet begun, the oldest first
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace bmsim
