#include "backend/cpu/thread_pool.h"

#include <algorithm>
#include <system_error>

#include "backend/backend.h"
#include "error.h"

namespace bmsim {

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0) threads = available_cores();
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
  Job job{task, count};
  std::unique_lock lock(mutex_);
  jobs_.push_back(&job);
  wake_.notify_all();
  take_part(job, 0, lock);
  idle_.wait(lock, [&] { return job.busy == 0; });
}

void ThreadPool::work(unsigned thread) {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return stop_ || !jobs_.empty(); });
    if (stop_) return;
    take_part(*jobs_.front(), thread, lock);
  }
}

void ThreadPool::take_part(Job& job, unsigned thread, std::unique_lock<std::mutex>& lock) {
  ++job.busy;
  lock.unlock();
  for (size_t index; (index = job.next.fetch_add(1)) < job.count;) job.task(index, thread);
  lock.lock();
  std::erase(jobs_, &job);
  if (--job.busy == 0) idle_.notify_all();
}

}  // namespace bmsim
