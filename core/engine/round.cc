// The threads of a round of runners.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <thread>

#include "engine/runner.h"
#include "error.h"

namespace bmsim {

/// The threads of a round. A device that queues launches needs one thread for all runners; others have one for each.
class Runner::Round {
 public:
  explicit Round(const std::vector<Runner*>& runners) : runners_(runners) {
    const Backends& backends = runners[0]->backends_;
    for (size_t device = 0; device < backends.size(); ++device) {
      if (backends[device]->queues_launches())
        lines_.push_back({device, runners});
      else
        for (Runner* runner : runners) lines_.push_back({device, {runner}});
    }
    working_ = lines_.size();
  }

  /// The calling thread does the work of the first line, and speaks for all of them.
  void run() {
    std::vector<std::thread> threads;
    for (size_t i = 1; i < lines_.size(); ++i)
      threads.emplace_back([this, i, check = interruption_check()] {
        const InterruptionScope heard(check);
        work(lines_[i], [] {});
      });
    work(lines_[0], [this] {
      for (Runner* runner : runners_) runner->between_launches();
    });
    for (std::thread& thread : threads) thread.join();
    if (failure_) {
      deliver();
      for (Runner* runner : runners_) runner->end_early();
      fail_early();
    }
    for (Runner* runner : runners_)
      runner->peers_.share_done(runner->results_, [runner] { runner->between_launches(); });
    for (Runner* runner : runners_) runner->end();
    for (Runner* runner : runners_) runner->check_parts();
  }

 private:
  /// What was finished before an interruption counts.
  void deliver() {
    try {
      for (Runner* runner : runners_) runner->deliver();
    } catch (const Interruption&) {
    }
  }

  [[noreturn]] void fail_early() {
    try {
      std::rethrow_exception(failure_);
    } catch (const Interruption& end) {
      for (Runner* runner : runners_) runner->keeper_.check_saved(end);
      throw;
    }
  }

  struct Line {
    size_t device;
    std::vector<Runner*> runners;
  };

  void work(Line& line, const std::function<void()>& between) {
    const bool speaks = &line == &lines_[0];
    try {
      while (advance(line, between, speaks)) {
      }
    } catch (const Interruption& end) {
      if (end.status() == BM_UNFINISHED) unfinished_ = true;
      stop(std::current_exception());
    } catch (...) {
      stop(std::current_exception());
    }
    try {
      for (Runner* runner : line.runners) runner->leave(line.device, unfinished_);  // by its own thread
    } catch (...) {
      stop(std::current_exception());
    }
  }

  bool advance(Line& line, const std::function<void()>& between, bool speaks) {
    bool more = false;
    try {
      for (Runner* runner : line.runners) more = runner->advance(line.device) || more;
    } catch (const Error& error) {
      if (error.status() != BM_DEVICE_ERROR || runners_[0]->backends_.size() == 1) throw;
      for (Runner* runner : line.runners)
        if (!runner->give_to_others(line.device, error.what()))
          fail_device("{}: {}", runner->backends_[line.device]->name(), error.what());
    }
    between();
    std::unique_lock lock(mutex_);
    if (more) return !stopped_;
    --working_;
    changed_.notify_all();
    while (!stopped_) {  // a device may fail yet
      const auto spare = [&](Runner* runner) { return runner->has_spare(line.device); };
      if (std::ranges::any_of(line.runners, spare)) {
        ++working_;
        return true;
      }
      if (working_ == 0) break;
      if (!speaks) {
        changed_.wait(lock);
        continue;
      }
      constexpr auto pause = std::chrono::milliseconds(50);
      changed_.wait_for(lock, pause);
      lock.unlock();
      between();
      lock.lock();
    }
    return false;
  }

  void stop(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    stopped_ = true;
    changed_.notify_all();
  }

  const std::vector<Runner*>& runners_;
  std::vector<Line> lines_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t working_ = 0;  // lines that may have parts
  bool stopped_ = false;
  std::atomic<bool> unfinished_{false};  // stopped in order to go on at another time
  std::exception_ptr failure_;
};

void Runner::run_round(const std::vector<Runner*>& runners) {
  for (Runner* runner : runners) runner->shown_.clear();
  // Not the check of a step, which hears no interrupts.
  std::vector<Runner*> shown;
  std::ranges::copy_if(runners, std::back_inserter(shown),
                       [](Runner* runner) { return bool{runner->hooks_.interrupted}; });
  for (Runner* runner : shown) shown.front()->shown_.push_back(&runner->progress_);
  Round(runners).run();
}

}  // namespace bmsim
