// No random number serves twice: the registry of streams, and the counters that kernels really use.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <regex>

#include "../physics/ensemble.h"
#include "backend/cpu/cpu_backend.h"
#include "compose/composer.h"
#include "error.h"
#include "streams.h"

using namespace bmsim;
using namespace bmsim::test;

namespace streams = bmsim_kernel;

namespace {

using Counter = std::array<uint32_t, 4>;                                      ///< draw, stream, trajectory
constexpr uint64_t most_steps = uint64_t{1} << 48, most_events = 1000000000;  // of a run: plan/plan.cc
constexpr uint32_t most_components = 32760;

/// The counters of every Philox block that the kernel computes for a group of trajectories, and how often, from start
/// to end in one launch.
std::map<Counter, int> counters(const Model& model, KernelOptions options, const RunOptions& asked) {
  options.group = 1;
  const Plan plan = make_plan(model, {}, asked);
  const Point& point = plan.points[0];
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  const std::string_view head = "BM_FN void philox(Vec64 c[4], uint64_t seed) {";
  std::string text = compose(model, point.values, options);
  const size_t at = text.find(head);
  REQUIRE(at != std::string::npos);
  text.insert(at + head.size(),
              fmt::format(" uint32_t used[WIDTH64][4]; for (int i = 0; i < WIDTH64; i++) for (int k = 0; "
                          "k < 4; k++) used[i][k] = (uint32_t)c[k][i]; write({}, used, sizeof used);",
                          fileno(file)));
  text.insert(at, "extern \"C\" long write(int, const void*, unsigned long);\n");
  CpuBackend backend(1);
  const auto kernel = backend.compile(text, "", true);
  std::vector<std::byte> parameters;
  ParameterSchema(model, point.values, options)
      .pack(point.values, {point.time, point.x, point.v, static_cast<double>(asked.paths), {}, {}}, parameters);
  Batch batch;
  batch.groups = {LaneGroup{}};
  batch.parameters = parameters;
  const auto ensemble = kernel->ensemble(batch);
  ensemble->start();
  while (ensemble->advance(1u << 20)) {
  }
  std::map<Counter, int> used;
  std::rewind(file);
  for (Counter one; std::fread(one.data(), sizeof one, 1, file) == 1;) ++used[one];
  std::fclose(file);
  return used;
}

/// Every stream drawn from, with the largest number of a draw.
std::map<uint32_t, uint32_t> streams_of(const std::map<Counter, int>& used) {
  std::map<uint32_t, uint32_t> found;
  for (const auto& [counter, times] : used) found[counter[1]] = std::max(found[counter[1]], counter[0]);
  return found;
}

const Part wave{BM_POTENTIAL, "sine", {}}, ramp{BM_POTENTIAL, "piecewise_linear", {}};
const Part kicks{BM_NOISE, "poisson", {{"lambda", 5.0}, {"zeta", 0.1}}};
const Part others{BM_NOISE, "poisson", {{"lambda", 8.0}, {"zeta", 0.1}}, "others"};
const Part flips{BM_NOISE, "dichotomous", {{"Fa", 1.0}, {"Fb", 1.0}, {"tau", 0.1}}};
const Part levels{BM_NOISE, "three_state", {{"F", 1.0}, {"nu", 10.0}}};
const Part heat{BM_NOISE, "gaussian", {{"D", 0.1}}};
const Part colour{BM_NOISE, "ornstein_uhlenbeck", {{"sigma", 1.0}, {"tau", 0.1}}};
const Part flights{BM_NOISE, "levy", {{"alpha", 1.5}, {"scale", 0.1}}};
const Part flashing{BM_NOISE, "dichotomous", {{"tau", 0.1}}, "flashing", {}, {}, true};
const Part boiling{BM_NOISE, "ornstein_uhlenbeck", {{"sigma", 0.5}, {"tau", 0.1}}, "boiling", {}, {}, true};
const Part push{BM_DRIVE, "cosine", {{"amplitude", 1.0}, {"omega", 2.0}}};
const Part pulse{BM_DRIVE, "pulse", {{"period", 3.0}, {"width", 0.3}}};

}  // namespace

TEST_CASE("streams: each purpose has the lower half of the stream's word to itself, in the largest run there is") {
  std::vector<bool> taken(65536);
  size_t purposes = 0;
  const auto own = [&](uint32_t stream) {
    REQUIRE(stream < taken.size());
    REQUIRE(!taken[stream]);
    taken[stream] = true;
    ++purposes;
  };
  for (const uint32_t stream : {streams::stream_increments(0), streams::STREAM_POSITION, streams::STREAM_VELOCITY,
                                streams::STREAM_PHASE, streams::STREAM_LEVEL})
    own(stream);
  for (uint32_t k = 0; k < most_components; ++k) {
    own(streams::stream_events(k));
    own(streams::stream_start(k));
  }
  CHECK(purposes == 5 + 2 * most_components);
  // Increments and numbers of every step count on in the upper half: draw and stream tell the draw's 48 bits.
  for (const uint64_t draw :
       {uint64_t{0}, uint64_t{1}, uint64_t{0xffffffff}, uint64_t{1} << 32, (uint64_t{5} << 40) + 7, most_steps - 1}) {
    CAPTURE(draw);
    CHECK(streams::stream_increments(draw) == (draw >> 32) << 16);
    for (const uint32_t k : {0u, 1u, 77u, most_components - 1})
      CHECK(streams::stream_steps(k, draw) == streams::stream_events(k) + ((draw >> 32) << 16));
  }
  // An iteration lasts a step, or ends at an event, a mark or an end of the window: at most so many. A draw serves two
  // of them or more. An event takes two exponentials, whose number has 32 bits, of four a draw.
  const uint64_t iterations = most_steps + 2 * most_components * most_events;
  CHECK(iterations / 2 < most_steps);
  const auto events = static_cast<uint64_t>(1e9 + 10 * std::sqrt(1e9));  // ten standard deviations more
  CHECK(2 * (events + 1) < uint64_t{1} << 32);
}

TEST_CASE("streams: more steps or events than there are random numbers for are refused") {
  RunOptions run = options();
  run.time = 1e15;
  run.dt = 1;
  CHECK_THROWS_WITH_AS(make_plan(make_model({heat}), {}, run), doctest::Contains("run: at most 2^48 steps"), Error);
  run.time = 1e10;
  CHECK_THROWS_WITH_AS(make_plan(make_model({kicks}), {}, run), doctest::Contains("run: at most 10^9 of the model's"),
                       Error);
}

TEST_CASE(
    "streams: kernels compute every block of random numbers once, but for the first exponentials, which the start "
    "takes") {
  struct Case {
    const char* name;
    Model model;
    Method method;
    Increments law;
    std::vector<uint32_t> components;  ///< event noises, noises with numbers of every step, noises with a start
    size_t events, steps, starts;
  };
  const Model inertial = make_model(Inertial{0.5, 0.8, 0.2}, {wave, kicks, others, flips, levels, heat, colour, flights,
                                                              flashing, boiling, push, pulse});
  const Model written = make_model({ramp, kicks, others, flips, levels});
  for (const Case& one :
       {Case{
            "aboba", inertial, Method::aboba, Increments::five_point, {1, 2, 3, 4, 8, 6, 7, 9, 3, 4, 6, 8, 9}, 5, 3, 5},
        Case{"heun",
             make_model({wave, heat, kicks, others, colour, flights, flashing, push}),
             Method::heun,
             Increments::gaussian,
             {2, 3, 6, 4, 5, 4, 6},
             3,
             2,
             2},
        Case{"exact", written, Method::exact, Increments::none, {1, 2, 3, 4, 3, 4}, 4, 0, 2}}) {
    CAPTURE(one.name);
    const bool exact = one.method == Method::exact, thermal = one.law != Increments::none;
    KernelOptions kernel{.method = one.method, .increments = one.law};
    kernel.random_phases = !exact;
    kernel.squares = one.model.underdamped();
    RunOptions run = options();
    run.device = "cpu";
    run.time = 20;
    run.dt = 0.02;
    run.method = one.name;
    run.random_phases = kernel.random_phases;
    const auto used = counters(one.model, kernel, run);
    const auto found = streams_of(used);
    std::map<uint32_t, uint32_t> least = {{streams::STREAM_POSITION, 2}};  // the draws that there must be at least
    if (thermal) least[streams::stream_increments(0)] = 20;
    if (kernel.random_phases) least[streams::STREAM_PHASE] = one.model.underdamped() ? 1 : 0;
    if (one.model.underdamped()) least[streams::STREAM_VELOCITY] = 2;
    for (size_t i = 0; i < one.components.size(); ++i) {
      const uint32_t k = one.components[i];
      if (i < one.events)
        least[streams::stream_events(k)] = 40;
      else if (i < one.events + one.steps)
        least[streams::stream_steps(k, 0)] = 499;
      else
        least[streams::stream_start(k)] = 1;
    }
    CHECK(one.components.size() == one.events + one.steps + one.starts);
    CHECK(found.size() == least.size());
    for (const auto& stream : least) {
      CAPTURE(stream.first);
      REQUIRE(found.contains(stream.first));
      CHECK(found.at(stream.first) >= stream.second);
    }
    size_t wrong = 0;
    for (const auto& [counter, times] : used) {
      if (counter[1] == streams::STREAM_PHASE) continue;  // drawn again for every block: where it begins is not kept
      const auto k = (counter[1] - streams::stream_events(0)) / 2;
      const bool event = std::find(one.components.begin(), one.components.begin() + static_cast<long>(one.events), k) !=
                             one.components.begin() + static_cast<long>(one.events) &&
                         counter[1] == streams::stream_events(k);
      if (event && exact) continue;  // computed again where trajectories fall out of step: `used` counts what is taken
      if (times != (event && counter[0] < 8 ? 2 : 1)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(used.size() > 1000);
  }
}
