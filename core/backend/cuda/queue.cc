#include "backend/cuda/queue.h"

#include <algorithm>

#include "backend/memory.h"

namespace bmsim::cuda {

Buffer::Buffer(const Driver& driver, size_t bytes, const char* what) : driver_(driver) {
  const Result result = driver.allocate(&pointer_, bytes > 0 ? bytes : 1, nullptr);
  if (result == out_of_memory) fail_out_of_memory("cuda", static_cast<double>(bytes), what, BM_DEVICE_ERROR);
  check(result, what);
  check(driver.stream_synchronize(nullptr), what);
}
Buffer::~Buffer() { driver_.release(pointer_, nullptr); }

Queue::Queue(const Driver& d) : driver(d) {
  try {
    check(d.stream_create(&stream, 1), "stream");  // 1: non-blocking, does not wait for the default stream
    for (int i = 0; i < 2; ++i) {
      check(d.event_create(&before[i], 0), "event");
      check(d.event_create(&after[i], 0), "event");
    }
    void* pinned = nullptr;
    check(d.allocate_host(&pinned, 2 * sizeof(uint32_t)), "pinned memory");
    more = static_cast<uint32_t*>(pinned);
    check(d.allocate_host(&room, room_bytes), "pinned memory");
  } catch (...) {
    release();
    throw;
  }
}
Queue::~Queue() {
  driver.stream_synchronize(stream);
  release();
}
void Queue::release() {
  if (more != nullptr) driver.release_host(more);
  if (room != nullptr) driver.release_host(room);
  for (int i = 0; i < 2; ++i) {
    if (before[i] != nullptr) driver.event_destroy(before[i]);
    if (after[i] != nullptr) driver.event_destroy(after[i]);
  }
  if (stream != nullptr) driver.stream_destroy(stream);
}

std::unique_ptr<Queue> Queues::take() {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Queue> queue;
  if (idle_.empty()) {
    queue = std::make_unique<Queue>(driver_);
  } else {
    queue = std::move(idle_.back());
    idle_.pop_back();
  }
  if (origin_ == nullptr) check(driver_.event_create(&origin_, 0), "event");
  if (in_use_++ == 0) {
    check(driver_.event_record(origin_, queue->stream), "event");
    check(driver_.event_synchronize(origin_), "event");
    counted_until_ = 0;
  }
  return queue;
}

void Queues::give_back(std::unique_ptr<Queue> queue) {
  driver_.stream_synchronize(queue->stream);
  const std::lock_guard lock(mutex_);
  --in_use_;
  idle_.push_back(std::move(queue));
}

double Queues::seconds_between(Event before, Event after) {
  const std::lock_guard lock(mutex_);
  float from = 0, to = 0;
  check(driver_.event_elapsed(&from, origin_, before), "launch");
  check(driver_.event_elapsed(&to, origin_, after), "launch");
  const float counted = std::max(0.0F, to - std::max(from, counted_until_));
  counted_until_ = std::max(counted_until_, to);
  return 1e-3 * static_cast<double>(counted);
}

}  // namespace bmsim::cuda
