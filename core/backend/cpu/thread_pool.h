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
  /// Calls task(index, thread) for every index in [0, count) and returns when all are done. thread < size().
  void run(size_t count, const std::function<void(size_t index, unsigned thread)>& task);

 private:
  void work(unsigned thread);
  void stop();

  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  const std::function<void(size_t, unsigned)>* task_ = nullptr;
  std::atomic<size_t> next_{0};
  size_t count_ = 0, busy_ = 0, round_ = 0;
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace bmsim
