// Threads that work through numbered tasks; which thread does which task never matters to a result.
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
  /// threads: 0 for one per core. Throws Error (status device) if the system refuses so many.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }
  /// Calls task(index, thread) for every index in [0, count) and returns when all are done. thread < size(), and 0 for
  /// the caller's own. Several threads may call at once: workers that find nothing left in one's tasks go on to
  /// another's.
  void run(size_t count, const std::function<void(size_t index, unsigned thread)>& task);

 private:
  struct Job {
    const std::function<void(size_t, unsigned)>& task;
    size_t count;
    std::atomic<size_t> next{0};
    size_t busy = 0;  ///< threads that take part
  };
  void work(unsigned thread);
  void take_part(Job& job, unsigned thread, std::unique_lock<std::mutex>& lock);
  void stop();

  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::vector<Job*> jobs_;  // with tasks that nobody has begun, the oldest first
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace bmsim
