// CUDA's run-time compiler on every kernel there is, without a GPU: it compiles, and nothing spills. Kernels are spread
// over the architectures of which users have GPUs, as far as the compiler knows them. $BMSIM_KERNEL_TABLE: a file that
// gets a line for each kernel: architecture, registers, bytes of stack and of spills of bm_advance, name.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <regex>
#include <set>
#include <thread>

#include "../kernels/contract.h"
#include "../physics/systems.h"
#include "../unit/message_of.h"
#include "backend/cpu/cpu_backend.h"
#include "backend/cuda/nvrtc.h"
#include "plugin/registry.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

/// A plugin with the words and lists that make its device text another one.
struct Variant {
  std::string id;
  std::vector<std::pair<std::string, std::string>> words = {};
  std::vector<std::pair<std::string, std::vector<double>>> lists = {};
  bool modulates = false;
};
void add(Model& model, uint32_t kind, const Variant& one) {
  const std::string name = model.add(kind, one.id, "").name;
  for (const auto& [parameter, word] : one.words) model.set_choice(name + "." + parameter, word);
  for (const auto& [list, numbers] : one.lists) model.set_list(name + "." + list, numbers);
  if (one.modulates) model.modulate(name);
}

const std::vector<double> values = {0, 1, 0.5, -1, 0.25}, places = {-0.4, -0.1, 0, 0.3, 0.35};
const std::vector<Variant> potentials = {
    {"free"},
    {"sine"},
    {"harmonic"},
    {"table", {}, {{"V", values}}},
    {"piecewise_linear"},
    {"ratchet"},
    {"table", {}, {{"V", values}, {"x", places}}},
    {"fourier", {}, {{"a", {1, 0.2, 0, 0.1, 0.1, 0.1, 0.1, 0.1}}, {"b", values}}},
    {"double_well"},
    {"piecewise_linear", {}, {{"V", values}, {"x", places}}},
    {"table", {{"edges", "bounded"}}, {{"V", values}, {"x", places}}},
};
const std::vector<Variant> noises = {
    {"poisson"},
    {"gaussian"},
    {"dichotomous"},
    {"poisson", {{"law", "gaussian"}}},
    {"three_state"},
    {"poisson", {{"law", "constant"}}},
    {"levy"},
    {"poisson", {{"law", "two_sided"}}},
    {"ornstein_uhlenbeck"},
    {"poisson", {{"law", "uniform"}}},
    {"dichotomous", {}, {}, true},
    {"three_state", {}, {}, true},
    {"ornstein_uhlenbeck", {}, {}, true},
};
const std::vector<Variant> drives = {
    {"cosine"}, {"biharmonic"}, {"square"}, {"pulse"}, {"pulse", {{"shape", "gaussian"}}}, {"cosine", {}, {}, true},
};

struct Dynamics {
  bool underdamped;
  Method method;
};
constexpr Dynamics all_dynamics[] = {{false, Method::heun},  {false, Method::platen}, {false, Method::euler},
                                     {false, Method::paper}, {true, Method::heun},    {true, Method::platen},
                                     {true, Method::euler},  {true, Method::aboba},   {false, Method::adaptive}};

bool shares(const Dynamics& dynamics) { return dynamics.method == Method::euler || dynamics.method == Method::platen; }

Model empty_model(const Dynamics& dynamics) {
  make_model({});  // loads the plugins
  Model model;
  if (dynamics.underdamped) model.make_underdamped();
  return model;
}
/// Models in which every noise occurs with the dynamics, with the potentials and drives in turn, begun `shift` places
/// on, the white noise joining every third; and two crowded ones. Methods paper and adaptive have what they know of
/// them; euler and platen, whose kernels are much alike, share all others between them.
std::vector<Model> models(const Dynamics& dynamics, size_t shift) {
  const bool paper = dynamics.method == Method::paper;
  const auto known = [&](const Variant& one) {
    if (dynamics.method == Method::adaptive) return one.id != "levy";
    return !paper || (!one.modulates && one.id != "levy" && one.id != "ornstein_uhlenbeck");
  };
  std::vector<Variant> some;
  std::copy_if(noises.begin(), noises.end(), std::back_inserter(some), known);
  std::vector<Model> all;
  const size_t first = dynamics.method == Method::platen ? 1 : 0, every = shares(dynamics) ? 2 : 1;
  shift += first;  // that of euler, which is the next one
  for (size_t i = first; i < std::max(some.size(), potentials.size()); i += every) {
    all.push_back(empty_model(dynamics));
    add(all.back(), BM_POTENTIAL, potentials[(i + shift) % potentials.size()]);
    add(all.back(), BM_NOISE, some[i % some.size()]);
    if (i % 3 == 0 && some[i % some.size()].id != "gaussian") add(all.back(), BM_NOISE, {"gaussian"});
    const Variant& drive = drives[(i + shift) % drives.size()];
    if (i % 4 != 3 && known(drive)) add(all.back(), BM_DRIVE, drive);
  }
  all.push_back(empty_model(dynamics));
  add(all.back(), BM_POTENTIAL, potentials[7]);
  for (const size_t i : {1u, 2u, 3u, 4u}) add(all.back(), BM_NOISE, noises[i]);
  for (const size_t i : {1u, 3u}) add(all.back(), BM_DRIVE, drives[i]);
  if (paper) return all;
  all.push_back(empty_model(dynamics));
  add(all.back(), BM_POTENTIAL, potentials[6]);
  for (const size_t i : {1u, 6u, 7u, 8u, 11u})
    if (known(noises[i])) add(all.back(), BM_NOISE, noises[i]);
  for (const size_t i : {2u, 5u}) add(all.back(), BM_DRIVE, drives[i]);
  return all;
}

/// Those of Turing, Ampere, Hopper and Blackwell, data centre and desktop, that this compiler knows.
const std::vector<int>& architectures() {
  static const std::vector<int> known = [] {
    std::vector<int> some;
    const std::vector<int> all = cuda::Nvrtc().architectures();
    for (const int one : {75, 80, 86, 90, 100, 120})
      if (std::find(all.begin(), all.end(), one) != all.end()) some.push_back(one);
    return some;
  }();
  return known;
}

struct Composed {
  std::string name, text;
  int architecture = 0;
  bool stack = false;  ///< whether it may have one
};
void add(std::vector<Composed>& all, std::string name, std::string text, bool stack = false) {
  const size_t count = architectures().size();
  const int architecture = architectures()[(all.size() + all.size() / count) % count];
  all.push_back({fmt::format("sm_{} {}", architecture, name), std::move(text), architecture, stack});
}

/// What bm_advance takes, by the compiler's log.
void tabulate(const Composed& kernel, const std::string& log) {
  static std::mutex mutex;
  const char* const file = std::getenv("BMSIM_KERNEL_TABLE");
  const std::regex line(
      "Function properties for bm_advance\\s+\\D*(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes "
      "spill loads[^U]*Used (\\d+) registers");
  std::smatch found;
  if (file == nullptr || !std::regex_search(log, found, line)) return;
  const std::lock_guard lock(mutex);
  std::ofstream(file, std::ios::app) << fmt::format("{} {} {} {} {}\n", kernel.architecture, found[4].str(),
                                                    found[1].str(), std::stoi(found[2]) + std::stoi(found[3]),
                                                    kernel.name);
}

/// Every noise, potential and drive with every integrator, overdamped and underdamped; precisions, architectures, the
/// laws of the increments and random phases spread over them.
std::vector<Composed> kernels() {
  std::vector<Composed> all;
  size_t law = 0;
  for (size_t shift = 0; shift < std::size(all_dynamics); ++shift) {
    const Dynamics& dynamics = all_dynamics[shift];
    size_t i = 0;
    for (const Model& model : models(dynamics, shift)) {
      KernelOptions options{.method = dynamics.method, .dialect = Dialect::cuda, .group = 1};
      options.precision = (i + shift / 2) % 2 == 0 ? Precision::single_precision : Precision::double_precision;
      options.squares = dynamics.underdamped;
      options.marks = (i + shift) % 3 == 1;
      options.coarse = (i + shift) % 4 == 2 && dynamics.method != Method::paper && dynamics.method != Method::adaptive;
      options.halves = (i + shift) % 5 != 3 && !options.coarse && dynamics.method != Method::adaptive;
      options.random_phases = (i + shift) / 2 % 2 == 1;
      if (has_gaussian(model)) options.increments = static_cast<Increments>(1 + law++ % 4);
      std::string name = fmt::format("{} {} {} {}{}{}", dynamics.underdamped ? "underdamped" : "overdamped",
                                     method_name(options.method), increments_name(options.increments),
                                     options.precision == Precision::single_precision ? "single" : "double",
                                     options.random_phases ? " random phases" : "", options.coarse ? " coarse" : "");
      for (const auto& component : model.components())
        name += (component.modulates ? " modulating " : " ") + component.name;
      add(all, std::move(name), compose(model, options) + contract_text(model, options));
      ++i;
    }
  }
  return all;
}

/// What is wrong with a kernel; empty if nothing is. bm_advance of a simple model may keep a few bytes in memory,
/// since its registers are bounded, and so may one that has all 254: for sm_120 NVRTC 13.5 leaves 8 bytes of the most
/// crowded model in double precision. bm_formula calls functions of the library, and has a stack.
std::string wrong(const cuda::Nvrtc& compiler, const Composed& kernel) {
  std::string log;
  try {
    if (compiler.compile(kernel.text, kernel.architecture, &log).empty()) return "no cubin";
  } catch (const Error& error) {
    return error.what();
  }
  tabulate(kernel, log);
  const std::regex line(
      "Function properties for (\\w+)\\s+\\D*(\\d+) bytes stack frame, (\\d+) bytes spill stores, "
      "(\\d+) bytes spill loads");
  size_t functions = 0, entries = 0;
  for (std::sregex_iterator match(log.begin(), log.end(), line), end; match != end; ++match) {
    const std::string name = (*match)[1];
    functions += name.starts_with("bm_") ? 1 : 0;
    if (name == "bm_formula" || kernel.stack) continue;
    const std::string used = fmt::format("Used {} registers", cuda::Nvrtc::simple_registers);
    const std::string rest = match->suffix().str();
    const bool bounded = name == "bm_advance" && std::min(rest.find(used), rest.find("Used 254 registers")) < 60;
    if (bounded && std::stoi((*match)[2]) <= cuda::Nvrtc::bytes_left) continue;
    for (size_t i = 2; i <= 4; ++i)
      if ((*match)[i] != "0") return log;
  }
  constexpr std::string_view entry = "Compiling entry function";
  for (size_t at = 0; (at = log.find(entry, at)) != std::string::npos; at += entry.size()) ++entries;
  const bool whole = entries >= 3 && log.find("'bm_advance'") != std::string::npos;
  return whole && functions == entries ? "" : "not what was expected of the log: " + log;
}

/// Which half of the kernels is compiled, $BMSIM_KERNEL_HALF, 0 or 1; all without it. Two toolkits share them so.
std::optional<size_t> half() {
  const char* const given = std::getenv("BMSIM_KERNEL_HALF");
  return given == nullptr ? std::nullopt : std::optional<size_t>(std::stoul(given));
}

/// On two threads, as many as the test is given.
void check_all(std::vector<Composed> all) {
  if (const std::optional<size_t> mine = half()) {
    std::vector<Composed> some;
    for (size_t i = 0; i < all.size(); ++i)
      if (i / architectures().size() % 2 == *mine) some.push_back(std::move(all[i]));
    all = std::move(some);
  }
  const cuda::Nvrtc compiler;
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

}  // namespace

TEST_CASE("NVRTC: every plugin is in one of the models that are compiled, with every method that knows it" *
          doctest::test_suite("quick")) {
  const auto used_with = [](const Dynamics& dynamics) {
    std::set<std::string> used;
    size_t shift = 0;
    for (const Dynamics& like : all_dynamics) {
      const bool alike = shares(like) && shares(dynamics) && like.underdamped == dynamics.underdamped;
      for (const auto& model : models(like, shift++))
        for (const auto& component : model.components())
          if (alike || &like == &dynamics) used.insert(component.plugin->full_name());
    }
    return used;
  };
  for (const Dynamics& dynamics : all_dynamics) {
    const std::set<std::string> used = used_with(dynamics);
    size_t known = 0;
    for (const auto& plugin : Registry::instance().plugins()) {
      if (plugin->file() == BMSIM_CPU_ONLY_PLUGIN || plugin->has(BM_SEVERAL)) continue;  // those are in systems, below
      if (dynamics.method == Method::paper && plugin->has(BM_EVOLVE | BM_INCREMENT)) continue;
      if (dynamics.method == Method::adaptive && plugin->has(BM_INCREMENT)) continue;
      CAPTURE(plugin->full_name());
      CHECK(used.contains(plugin->full_name()));
      ++known;
    }
    CHECK(used.size() == known);
    CHECK(known >= 16);
  }
}

TEST_CASE("NVRTC: every plugin with every integrator compiles, without stack or spills") { check_all(kernels()); }

// 80 registers leave room for six warps on a scheduler, and 81 for five. A loop that waits for the next event must not
// keep its countdown twice (`pass_quiet` of kernels/own_clocks.h), and logarithms must not call a division
// (`normal_quotient` of kernels/cuda/group.h).
TEST_CASE("NVRTC: jumps in a piecewise linear potential in double precision take 80 registers at most" *
          doctest::test_suite("quick")) {
  const cuda::Nvrtc compiler;
  if (!std::ranges::count(compiler.architectures(), 90)) return;
  Model model = empty_model({false, Method::heun});
  add(model, BM_POTENTIAL, {"piecewise_linear"});
  add(model, BM_NOISE, {"poisson"});
  KernelOptions options{.method = Method::heun, .dialect = Dialect::cuda, .group = 1};
  options.precision = Precision::double_precision;
  options.halves = true;
  options.rare_events = true;
  std::string log;
  compiler.compile(compose(model, options), 90, &log);
  std::smatch found;
  REQUIRE(std::regex_search(log, found, std::regex("Function properties for bm_advance[^U]*Used (\\d+) registers")));
  CHECK(std::stoi(found[1]) <= 80);
}

TEST_CASE("NVRTC: kernels that watch levels and follow tangents compile, without stack or spills") {
  std::vector<Composed> all;
  size_t i = 0;
  for (const Dynamics& dynamics : all_dynamics)
    for (const bool jumps : {false, true}) {
      Model model = empty_model(dynamics);
      add(model, BM_POTENTIAL, {"sine"});
      add(model, BM_NOISE, {"gaussian"});
      if (jumps) add(model, BM_NOISE, {"poisson"});
      if (i % 3 > 0) add(model, BM_DRIVE, {"cosine"});
      KernelOptions options{.method = dynamics.method, .increments = static_cast<Increments>(1 + i % 4)};
      options.dialect = Dialect::cuda;
      options.group = 1;
      options.precision = i / 2 % 2 == 0 ? Precision::single_precision : Precision::double_precision;
      options.squares = dynamics.underdamped;
      options.marks = i % 5 == 0;
      options.halves = i % 3 != 1 && dynamics.method != Method::adaptive;
      options.counters = counters_for(model, false);
      const std::string name = fmt::format("{} {} {}", dynamics.underdamped ? "underdamped" : "overdamped",
                                           method_name(options.method), jumps ? "with jumps" : "");
      add(all, name, compose(model, options));
      ++i;
    }
  check_all(all);
}

TEST_CASE("NVRTC: method exact compiles with every noise of events, without stack or spills") {
  std::vector<Composed> all;
  for (const Variant& noise : noises) {
    make_model({});
    if (!Registry::instance().find("noise." + noise.id).has(BM_EVENTS) || noise.modulates) continue;
    for (const Variant& potential : {potentials[0], potentials[4], potentials[9]}) {
      const size_t i = all.size();
      Model model = empty_model({false, Method::exact});
      add(model, BM_POTENTIAL, potential);
      add(model, BM_NOISE, noise);
      if (i % 3 == 2 && noise.id != "dichotomous") add(model, BM_NOISE, {"dichotomous"});
      KernelOptions options{.method = Method::exact, .dialect = Dialect::cuda, .group = 1};
      options.precision = i / 3 % 2 == 0 ? Precision::single_precision : Precision::double_precision;
      options.marks = i % 4 == 1;
      options.halves = i % 3 != 1;
      if (i % 5 > 1) options.counters = counters_for(model, true);
      add(all, "exact, " + noise.id, compose(model, options));
    }
  }
  CHECK(all.size() >= 18);
  check_all(all);
}

TEST_CASE("NVRTC: a kernel with a stack is found out" * doctest::test_suite("quick")) {
  const Composed kernel{
      "",
      "extern \"C\" __global__ void bm_advance(int* a, int n) { int s[99]; for (int i = 0; i < n; i++) "
      "s[a[i]] = i; for (int i = 0; i < n; i++) a[i] = s[a[n + i]]; }",
      90};
  CHECK(wrong(cuda::Nvrtc(), kernel).find(" bytes stack frame") != std::string::npos);
}

TEST_CASE("NVRTC: a kernel that a bound on its registers makes spill is compiled without it" *
          doctest::test_suite("quick")) {
  const auto report = [](int numbers) {
    std::string log;
    cuda::Nvrtc().compile(fmt::format("#if BM_REGISTERS\n#define N {}\n#else\n#define N 1\n#endif\n"
                                      "extern \"C\" __global__ void bm_advance(int* a, int n) {{ int s[N]; "
                                      "for (int i = 0; i < n; i++) s[a[i] % N] = i; a[n] = s[a[n + 1] % N]; }}",
                                      numbers),
                          90, &log);
    return log;
  };
  CHECK(report(99).find(" 0 bytes stack frame") != std::string::npos);
  CHECK(report(8).find(" 32 bytes stack frame") != std::string::npos);
}

TEST_CASE("NVRTC: an architecture that it does not know" * doctest::test_suite("quick")) {
  const cuda::Nvrtc compiler;
  const std::string text = compose(make_model({}), {.dialect = Dialect::cuda});
  CHECK(message_of([&] { compiler.compile(text, 20); }).starts_with("cuda: this NVRTC does not compile for sm_20; "));
  CHECK(message_of([&] { compiler.ptx(text, 9999); }).starts_with("cuda: this NVRTC does not compile for sm_9999; "));
}

TEST_CASE("NVRTC: PTX to read has the kernels of the cubin" * doctest::test_suite("quick")) {
  const cuda::Nvrtc compiler;
  const std::string ptx = compiler.ptx(compose(make_model({}), {.dialect = Dialect::cuda}), 90);
  for (const char* text : {".target sm_90", ".entry bm_start", ".entry bm_advance", ".entry bm_window"}) {
    CAPTURE(text);
    CHECK(ptx.find(text) != std::string::npos);
  }
  CHECK(ptx.back() != '\0');
}

TEST_CASE("NVRTC: options of $BMSIM_CUDA_FLAGS are added, and kernels are kept apart by them" *
          doctest::test_suite("quick")) {
  const std::string text = compose(make_model({}), {.dialect = Dialect::cuda});
  const std::string usual = cuda::Nvrtc().identity();
  CHECK(cuda::Nvrtc().ptx(text, 90).find("entry.h") == std::string::npos);
  setenv("BMSIM_CUDA_FLAGS", "-lineinfo", 1);
  CHECK(cuda::Nvrtc().ptx(text, 90).find("entry.h") != std::string::npos);
  CHECK(cuda::Nvrtc().identity() != usual);
  unsetenv("BMSIM_CUDA_FLAGS");
}

TEST_CASE("NVRTC: a plugin that only the CPU's compiler takes is an error with its file and line" *
          doctest::test_suite("quick")) {
  Registry::instance().load(BMSIM_CPU_ONLY_PLUGIN);
  const std::string_view source = Registry::instance().find("cpu_only")->source;
  const auto line = 1 + std::count(source.begin(), source.begin() + source.find("pair[0]"), '\n');
  const Model model = make_model({{BM_NOISE, "cpu_only", {}}});
  CHECK(CpuBackend(1).compile(compose(model, {.group = 1}), "", true) != nullptr);
  const std::string message =
      message_of([&] { cuda::Nvrtc().compile(compose(model, {.dialect = Dialect::cuda}), 90); });
  INFO(message);
  CHECK(message.starts_with("kernel: NVRTC could not compile it; the source is kept in "));
  CHECK(message.find("cpu_only.cc(" + std::to_string(line) + "): error: ") != std::string::npos);
}

TEST_CASE(
    "NVRTC: systems compile with every law and both precisions, without stack or spills up to 8 variables; those with "
    "mean fields and zeros have a stack") {
  struct Case {
    const char* name;
    Model model;
    std::vector<Method> methods;
    bool stack = false;  ///< for what a path seldom does; in double precision it also spills
  };
  const Method heun = Method::heun, euler = Method::euler, platen = Method::platen, aboba = Method::aboba;
  const Case cases[] = {{"active particle", active_particle(0.3, 2, 0.1, 0.5), {heun, platen}},
                        {"dimer", dimer(4, 0.3), {heun}},
                        {"two junctions", two_junctions(), {aboba, heun}},
                        {"ring of 8", ring(8), {heun}},
                        {"multiplied noise", MultipliedNoise().model(), {heun}},
                        {"kicked by place", kicked_by_place(2), {aboba}},
                        {"mixed", mixed(), {heun, euler}},
                        {"events of the state", changed_by_events(false), {heun}},
                        {"all events", changed_by_events(true), {heun}},
                        {"zeros", zeros(false), {heun}},
                        {"zeros in time", zeros(true), {heun}},
                        {"walls", between_walls(false), {heun, euler}},
                        {"walls with inertia", between_walls(true), {heun}},
                        {"sticky walls", between_sticky_walls(), {heun, euler}},
                        {"mean field", kuramoto(2, 1), {heun, euler}},
                        {"mean fields and events", crowd(true), {heun}},
                        {"mean fields and zeros", network(false), {heun}, true},
                        {"mean fields and zeros with inertia", network(true), {heun}, true},
                        {"landauer", landauer("ito"), {heun, euler, platen}},
                        {"joint potentials", joint_potentials(), {heun}},
                        {"correlated", correlated("anti_ito"), {heun}}};
  for (const auto& plugin : Registry::instance().plugins()) {
    const Model& model = cases[std::size(cases) - 2].model;
    const auto is_it = [&](const Component& one) { return one.plugin->full_name() == plugin->full_name(); };
    if (plugin->has(BM_SEVERAL)) CHECK(std::ranges::any_of(model.components(), is_it));
  }
  Model averaged = mixed();
  averaged.add_observed({{"x*v_x"}, {"y^2"}});
  const ObservableRequest averages("average", {}, {{"a", "x*v_x"}, {"b", "y^2"}});
  std::vector<Composed> all;
  add(all, "averages",
      compose(averaged, {.increments = Increments::five_point,
                         .dialect = Dialect::cuda,
                         .group = 1,
                         .squares = true,
                         .counters = make_observable(averages)->counters({})}));
  const auto observing = [&](const char* name, const Model& model, std::vector<ObservableRequest> observables) {
    RunOptions run;
    run.time = 10;
    run.dt = 0.01;
    run.observables = std::move(observables);
    Plan plan = make_plan(model, Sweep(), run);
    plan.kernel.dialect = Dialect::cuda;
    plan.kernel.group = 1;
    add(all, name, compose(plan.model, plan.kernel));
  };
  const Part heat{BM_NOISE, "gaussian", {}}, wave{BM_POTENTIAL, "sine", {}};
  for (Model model : {make_model({heat}), make_model({wave, heat, {BM_NOISE, "poisson", {}}}),
                      make_model(Inertial{}, {wave, heat}), landauer("ito")}) {
    model.add_walls({model.variables()[0].name, "-0.3", "0.4", true}, {});
    observing("exits", model, {"exits"});
  }
  const ObservableRequest swing("integral", {}, {{"swing", "cos(2*pi*x)*sin(3*t)"}, {"turn.x", "cos(3*t)"}});
  observing("integrals", dimer(4, 0.3), {"work", "entropy_production", swing});
  observing("integrals with inertia", two_junctions(),
            {"heat", {"integral", {}, {{"swing", "v_x*sin(3*t)"}, {"turn.v_x", "v_x"}}}});
  observing("integrals with kicks", mixed(), {{"integral", {}, {{"swing", "v_x*sin(3*t)"}}}});
  observing("response",
            make_model({{BM_POTENTIAL, "double_well", {}}, {BM_NOISE, "gaussian", {}}, {BM_DRIVE, "cosine", {}}}),
            {{"response", {{"harmonics", {3}}}, {{"omega", "cosine.omega"}}}});
  for (const bool coarse : {false, true}) {
    typedef KernelOptions::Seen Seen;
    const Seen linear{.of = Seen::linear_formula, .variables = 3},
        any{.of = Seen::formula, .variables = 3, .velocities = 1};
    for (const Seen& seen : {linear, any})
      add(all, coarse ? "a formula that is seen, coarse" : "formulas that are recorded and seen",
          compose(averaged, {.increments = Increments::gaussian,
                             .dialect = Dialect::cuda,
                             .group = 1,
                             .marks = !coarse,
                             .formulas = 2,
                             .coarse = coarse,
                             .seen = seen,
                             .counters = counters_of_formula(mixed(), seen)}));
  }
  const Case tangents[] = {{"two junctions", two_junctions(), {aboba}},
                           {"kicked pair", kicked_pair(), {heun}},
                           {"landauer", landauer("ito"), {heun, platen}},
                           {"joint potentials", joint_potentials(), {heun}}};
  for (const Case& one : tangents)
    for (const Method method : one.methods)
      for (const bool coarse : {false, true}) {
        KernelOptions options{.method = method, .increments = Increments::gaussian, .dialect = Dialect::cuda};
        options.group = 1;
        options.coarse = coarse, options.halves = !coarse;
        options.counters = counters_for(one.model, false);
        add(all, fmt::format("{} {} with a tangent vector{}", one.name, method_name(method), coarse ? ", coarse" : ""),
            compose(one.model, options) + contract_text(one.model, options));
      }
  size_t i = 0, with_method = 0;
  for (const Case& one : cases)
    for (const Method method : one.methods) {
      // coarse steps differ from others in their clock alone: every second one
      const bool both = with_method++ % 2 == 0;
      for (const bool coarse : {false, true}) {
        if (coarse && !both) continue;
        KernelOptions options{.method = method, .dialect = Dialect::cuda, .group = 1};
        options.increments = coarse ? Increments::gaussian : static_cast<Increments>(1 + i % 4);
        // in double precision 8 variables take more registers than there are
        options.precision =
            i % 3 == 1 && one.model.variables().size() < 8 ? Precision::double_precision : Precision::single_precision;
        options.squares = one.model.underdamped();
        options.marks = i++ % 2 == 0;
        options.coarse = coarse, options.halves = !coarse;
        add(all,
            fmt::format("{} {} {}{}", one.name, method_name(method), increments_name(options.increments),
                        coarse ? " coarse" : ""),
            compose(one.model, options) + contract_text(one.model, options), one.stack);
      }
    }
  check_all(all);
}
