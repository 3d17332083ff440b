// The processes of a run under MPI's launcher.
#include "world/world.h"

#include <unistd.h>

#include <array>

#include "backend/backend.h"
#include "capi/objects.h"

using namespace bmsim;

extern "C" {

bm_status bm_world_begin() {
  return guarded([] { World::instance(); });
}
unsigned bm_world_rank() {
  unsigned rank = 0;
  guarded([&] { rank = World::instance().rank(); });
  return rank;
}
unsigned bm_world_size() {
  unsigned size = 1;
  guarded([&] { size = World::instance().size(); });
  return size;
}
bm_status bm_world_end() {
  return guarded([] { World::instance().end(); });
}
void bm_world_abort(int status) { World::instance().abort(status); }

const char* bm_world_show(const char* device) {
  return guarded_text([&] {
    World& world = World::instance();
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    std::string line;
    try {
      line = fmt::format("rank {} on {}, {} of {} there: ", world.rank(), host.data(), world.local_rank() + 1,
                         world.local_size());
      std::string why;
      for (const auto& backend : make_backends(world.device_for(device, gpu_count()), 1, &why))
        line += backend->name() + " ";
      if (!why.empty()) line += "(no GPU: " + why + ")";
    } catch (const Error& error) {
      line += error.what();
    }
    std::string text = world.version().empty() ? "no launcher of MPI has started this process: one rank\n"
                                               : fmt::format("{}, {} ranks\n", world.version(), world.size());
    for (const std::string_view report : world.gather("a check of MPI", line).of) text.append(report).append("\n");
    return text;
  });
}

}  // extern "C"
