// CUDA's run-time compiler on every kernel there is, without a GPU: it compiles, and nothing spills.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <regex>
#include <set>
#include <thread>

#include "../physics/ensemble.h"
#include "../unit/message_of.h"
#include "backend/cpu/cpu_backend.h"
#include "backend/cuda/nvrtc.h"
#include "plugin/registry.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

std::vector<std::string> shipped(uint32_t kind) {
  make_model({});  // loads them
  std::vector<std::string> ids;
  for (const auto& plugin : Registry::instance().plugins())
    if ((*plugin)->kind == kind && plugin->file() != BMSIM_CPU_ONLY_PLUGIN) ids.emplace_back((*plugin)->id);
  return ids;
}

/// Models in which every plugin occurs, whatever there are: one of each kind in turn, with and without drives, and one
/// with every noise and drive together.
std::vector<Model> models() {
  const auto potentials = shipped(BM_POTENTIAL), noises = shipped(BM_NOISE), drives = shipped(BM_DRIVE);
  const size_t count = std::max({potentials.size(), noises.size(), 2 * drives.size()});
  std::vector<Model> all(count + 1);
  for (size_t i = 0; i < count; ++i) {
    all[i].add(BM_POTENTIAL, potentials[i % potentials.size()], "");
    all[i].add(BM_NOISE, noises[i % noises.size()], "");
    if (i % 2 == 1) all[i].add(BM_DRIVE, drives[i / 2 % drives.size()], "");
  }
  all[count].add(BM_POTENTIAL, potentials.back(), "");
  for (const auto& id : noises) all[count].add(BM_NOISE, id, "");
  for (const auto& id : drives) all[count].add(BM_DRIVE, id, "");
  return all;
}

struct Composed {
  std::string name, text;
  int architecture;
};

/// Every model with every integrator in both precisions, the laws of the increments spread over them.
std::vector<Composed> kernels(const std::vector<int>& architectures) {
  std::vector<Composed> all;
  int law = 0;
  const auto every_model = models();
  for (const auto precision : {Precision::single_precision, Precision::double_precision})
    for (const auto method : {Method::heun, Method::platen, Method::euler, Method::paper})
      for (const auto& model : every_model) {
        KernelOptions options{method, Increments::none, precision, Dialect::cuda, 1};
        if (has_gaussian(model)) options.increments = static_cast<Increments>(1 + law++ % 4);
        std::string name = fmt::format("{} {} {}", method_name(method), increments_name(options.increments),
                                       precision == Precision::single_precision ? "single" : "double");
        for (const auto& component : model.components()) name += " " + component.name;
        for (const int architecture : architectures)
          all.push_back({fmt::format("sm_{} {}", architecture, name), compose(model, options), architecture});
      }
  return all;
}

/// What is wrong with a kernel; empty if nothing is.
std::string wrong(const cuda::Nvrtc& compiler, const Composed& kernel) {
  std::string log;
  try {
    if (compiler.compile(kernel.text, kernel.architecture, &log).empty()) return "no cubin";
  } catch (const Error& error) {
    return error.what();
  }
  const std::regex line("(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
  size_t functions = 0, entries = 0;
  for (std::sregex_iterator match(log.begin(), log.end(), line), end; match != end; ++match, ++functions)
    for (size_t i = 1; i <= 3; ++i)
      if ((*match)[i] != "0") return log;
  constexpr std::string_view entry = "Compiling entry function";
  for (size_t at = 0; (at = log.find(entry, at)) != std::string::npos; at += entry.size()) ++entries;
  const bool whole = entries >= 3 && log.find("'bm_advance'") != std::string::npos;
  return whole && functions == entries ? "" : "not what was expected of the log: " + log;
}

}  // namespace

TEST_CASE("NVRTC: every plugin is in one of the models that are compiled") {
  std::set<std::string> used;
  for (const auto& model : models())
    for (const auto& component : model.components()) used.insert(component.plugin->full_name());
  CHECK(used.size() == shipped(BM_POTENTIAL).size() + shipped(BM_NOISE).size() + shipped(BM_DRIVE).size());
  CHECK(used.size() >= 8);
}

TEST_CASE("NVRTC: every plugin with every integrator in both precisions compiles, without stack or spills") {
  const cuda::Nvrtc compiler;
  const auto all = kernels({75, 90, compiler.architectures().back()});
  std::atomic<size_t> next{0};
  std::mutex mutex;
  const auto work = [&] {
    for (size_t i; (i = next++) < all.size();) {
      const std::string reason = wrong(compiler, all[i]);
      const std::lock_guard lock(mutex);
      INFO(all[i].name);
      CHECK(reason == "");
    }
  };
  std::thread other(work);
  work();
  other.join();
}

TEST_CASE("NVRTC: a kernel with a stack is found out") {
  const Composed kernel{
      "",
      "extern \"C\" __global__ void bm_advance(int* a, int n) { int s[99]; for (int i = 0; i < n; i++) "
      "s[a[i]] = i; for (int i = 0; i < n; i++) a[i] = s[a[n + i]]; }",
      90};
  CHECK(wrong(cuda::Nvrtc(), kernel).find(" bytes stack frame") != std::string::npos);
}

TEST_CASE("NVRTC: an architecture that it does not know") {
  const cuda::Nvrtc compiler;
  const std::string text = compose(make_model({}), {.dialect = Dialect::cuda});
  CHECK(message_of([&] { compiler.compile(text, 20); }).starts_with("cuda: this NVRTC does not compile for sm_20; "));
  CHECK(message_of([&] { compiler.ptx(text, 9999); }).starts_with("cuda: this NVRTC does not compile for sm_9999; "));
}

TEST_CASE("NVRTC: PTX to read has the kernels of the cubin") {
  const cuda::Nvrtc compiler;
  const std::string ptx = compiler.ptx(compose(make_model({}), {.dialect = Dialect::cuda}), 90);
  for (const char* text : {".target sm_90", ".entry bm_start", ".entry bm_advance", ".entry bm_window"}) {
    CAPTURE(text);
    CHECK(ptx.find(text) != std::string::npos);
  }
  CHECK(ptx.back() != '\0');
}

TEST_CASE("NVRTC: a plugin that only the CPU's compiler takes is an error with its file and line") {
  Registry::instance().load(BMSIM_CPU_ONLY_PLUGIN);
  const std::string_view source = Registry::instance().find("cpu_only")->source;
  const auto line = 1 + std::count(source.begin(), source.begin() + source.find("pair[0]"), '\n');
  const Model model = make_model({{BM_NOISE, "cpu_only", {}}});
  CHECK(CpuBackend(1).compile(compose(model, {.group = 1}), "") != nullptr);
  const std::string message =
      message_of([&] { cuda::Nvrtc().compile(compose(model, {.dialect = Dialect::cuda}), 90); });
  INFO(message);
  CHECK(message.starts_with("kernel: NVRTC could not compile it; the source is kept in "));
  CHECK(message.find("cpu_only.cc(" + std::to_string(line) + "): error: ") != std::string::npos);
}
