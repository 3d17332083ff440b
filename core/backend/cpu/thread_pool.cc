#include "backend/cpu/thread_pool.h"

#include <algorithm>
#include <system_error>

#include "error.h"

namespace bmsim {

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  try {
    for (unsigned thread = 1; thread < threads; ++thread) workers_.emplace_back([this, thread] { work(thread); });
  } catch (const std::system_error& error) {
    stop();
    fail_device("device cpu: cannot start {} threads: {}", threads, error.code().message());
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void ThreadPool::run(size_t count, const std::function<void(size_t, unsigned)>& task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
    busy_ = workers_.size();
    ++round_;
  }
  wake_.notify_all();
  for (size_t index; (index = next_.fetch_add(1)) < count;) task(index, 0);
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return busy_ == 0; });
}

void ThreadPool::work(unsigned thread) {
  for (size_t seen = 0;;) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return stop_ || round_ != seen; });
    if (stop_) return;
    seen = round_;
    const auto* task = task_;
    const size_t count = count_;
    lock.unlock();
    for (size_t index; (index = next_.fetch_add(1)) < count;) (*task)(index, thread);
    lock.lock();
    if (--busy_ == 0) idle_.notify_one();
  }
}

}  // namespace bmsim
