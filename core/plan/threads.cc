#include "plan/threads.h"

#include <algorithm>
#include <thread>

#include "backend/backend.h"
#include "world/world.h"

namespace bmsim {

unsigned threads_of_rank(unsigned asked) {
  const World& world = World::instance();
  if (asked > 0 || world.local_size() == 1) return asked;
  // The launcher may have given each rank cores of its own.
  return std::min(available_cores(), std::max(1U, std::thread::hardware_concurrency() / world.local_size()));
}

}  // namespace bmsim
