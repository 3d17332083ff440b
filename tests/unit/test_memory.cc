// What a run takes of memory, as --dry-run says it.
#include <doctest/doctest.h>

#include <fstream>

#include "backend/memory.h"
#include "message_of.h"
#include "output/table.h"
#include "plan/memory.h"
#include "workplace.h"

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

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

}  // namespace

TEST_CASE("Memory: what is free is what the computer has, and what control groups leave") {
  const test::Workplace workplace;
  const std::filesystem::path& root = workplace.root;
  write(root / "proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable:    8000 kB\n");
  CHECK(free_memory(root) == 8'192'000);
  // version 2: a group, and the one that it is in
  write(root / "proc/self/cgroup", "0::/slice/job.scope\n");
  write(root / "sys/fs/cgroup/slice/job.scope/memory.max", "max\n");
  write(root / "sys/fs/cgroup/slice/job.scope/memory.current", "1000000\n");
  CHECK(free_memory(root) == 8'192'000);
  write(root / "sys/fs/cgroup/slice/memory.max", "5000000\n");
  write(root / "sys/fs/cgroup/slice/memory.current", "3000000\n");
  CHECK(free_memory(root) == 2'000'000);
  write(root / "sys/fs/cgroup/slice/memory.stat", "anon 5\ninactive_file 500000\n");
  CHECK(free_memory(root) == 2'500'000);
  write(root / "sys/fs/cgroup/slice/job.scope/memory.max", "900000\n");
  CHECK(free_memory(root) == 0);
  // the mark above which processes of a group are slowed down
  write(root / "sys/fs/cgroup/slice/job.scope/memory.max", "max\n");
  write(root / "sys/fs/cgroup/slice/job.scope/memory.high", "2000000\n");
  CHECK(free_memory(root) == 1'000'000);
  // in a container, which sees its own group alone, at the top
  write(root / "proc/self/cgroup", "0::/outside/container\n");
  write(root / "sys/fs/cgroup/memory.max", "7000000\n");
  write(root / "sys/fs/cgroup/memory.current", "1000000\n");
  CHECK(free_memory(root) == 6'000'000);
  // version 1, of a group that the limit of the one around it holds for
  write(root / "proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/slurm/job_1\n");
  write(root / "sys/fs/cgroup/memory/slurm/job_1/memory.limit_in_bytes", "4000000\n");
  write(root / "sys/fs/cgroup/memory/slurm/job_1/memory.usage_in_bytes", "1000000\n");
  CHECK(free_memory(root) == 3'000'000);
  write(root / "proc/self/cgroup", "4:memory:/slurm/job_1/step_0\n0::/\n");
  write(root / "sys/fs/cgroup/memory/slurm/job_1/step_0/memory.limit_in_bytes", "9223372036854771712\n");
  write(root / "sys/fs/cgroup/memory/slurm/job_1/step_0/memory.usage_in_bytes", "1000000\n");
  CHECK(free_memory(root) == 3'000'000);
}

TEST_CASE("Memory: the numbers of a plan's results, and the room for a file of them") {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model;
  model.add(BM_NOISE, "gaussian", "");
  RunOptions options;
  options.dt = 0.01;
  options.time = 10;
  options.device = "cpu";
  options.observables = {"velocity", {"paths", {{"count", {100}}, {"paths", {3}}}}};
  Sweep sweep;
  sweep.add_axis({"force", "gaussian.D"}, {{0, 1, 2}, {1, 2, 3}});
  sweep.add_axis({"dt"}, {{0.1, 0.2}});
  const ResultSize size = result_size(make_plan(model, sweep, options), sweep);
  CHECK(size.swept == 18);
  CHECK(size.columns == 12);
  CHECK(size.arrays == 6 * (100 + 300));
  CHECK(output_bytes(size, "a.nc") == 8 * (18 + 12 + 2400));
  CHECK(output_bytes(size, "a.csv") == 8 * 18 + 20 * 12);
  options.step_error = true;
  CHECK(result_size(make_plan(model, sweep, options), sweep).columns == 36);

  const Sweep first = sweep.only(0);
  CHECK(first.points() == 1);
  CHECK(first.names() == sweep.names());
  CHECK(first.describe(0) == sweep.describe(0));
}
