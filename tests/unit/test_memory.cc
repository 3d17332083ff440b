// What a run takes of memory, as --dry-run says it.
#include <doctest/doctest.h>

#include "backend/out_of_memory.h"
#include "engine/memory.h"
#include "message_of.h"

using namespace bmsim;

namespace {

Memory memory(uint64_t available, bool underdamped = false) {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model;
  if (underdamped) model.make_underdamped();
  model.add(BM_NOISE, "gaussian", "");
  RunOptions options;
  options.paths = 1000;
  options.dt = 0.01;
  options.time = 10;
  options.device = "cpu";
  options.memory = available;
  options.observables.emplace_back("paths", std::map<std::string, std::vector<double>>{{"count", {100}}});
  Sweep sweep;
  sweep.add_axis({"force"}, {{0, 1, 2}});
  return memory_of(make_plan(model, sweep, options), 21);
}

}  // namespace

TEST_CASE("Memory: recordings are counted, 8 bytes for each path, time and value") {
  const Memory one = memory(1'000'000'000);
  CHECK(one.paths == 3000);
  CHECK(one.per_recording == 800);
  CHECK(memory(1'000'000'000, true).per_recording == 1600);
  CHECK(one.in_flight() == 3000);
  CHECK(memory_text(one) ==
        "memory      63 kB of trajectories, 21 B each\n            2.4 MB of recordings, 800 B of each\n");
}

TEST_CASE("Memory: what does not fit is run in batches, and the recordings of a point are put together") {
  const Memory one = memory(821'000);
  CHECK(one.in_flight() == 1000);
  CHECK(one.per_point == 0);
  CHECK(memory_text(one).ends_with("            in 3 batches of 821 kB at most\n"));
  const Memory less = memory(410'500);
  CHECK(less.in_flight() == 500);
  CHECK(less.per_point == 800'000);
  CHECK(
      memory_text(less).ends_with("            in 6 batches of 410 kB at most\n"
                                  "            800 kB more for the recordings of a point, which takes several "
                                  "batches\n"));
  CHECK(memory(1).in_flight() == 1);
}

TEST_CASE("Memory: an error says of what, how much, what for, and what to lower") {
  CHECK(size_text(999) == "999 B");
  CHECK(size_text(1e3) == "1 kB");
  CHECK(size_text(6.4e10) == "64 GB");
  const auto error = [](const char* what) {
    return test::message_of([&] { fail_out_of_memory("cpu", 6.4e10, what, BM_ERROR); });
  };
  CHECK(error("trajectories") == "cpu: out of memory: 64 GB for trajectories; lower paths, or memory =");
  CHECK(error("recordings") ==
        "cpu: out of memory: 64 GB for recordings; lower times or count of what is recorded, paths, or memory =");
  CHECK(error("densities") == "cpu: out of memory: 64 GB for densities; lower bins, paths, or memory =");
}
