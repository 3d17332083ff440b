// `bmsim plugin check`: what is right passes, and everything that can be wrong is found and said.
#include <doctest/doctest.h>

#include <filesystem>

#include "check/check.h"
#include "check/checks.h"
#include "plugin/registry.h"

using namespace bmsim;
namespace fs = std::filesystem;

namespace {

const fs::path probes = fs::path(BMSIM_PROBE_DIR) / "checked";

struct Case {
  const char* name;
  const char* line;     ///< how the first line of a problem begins
  size_t problems = 1;  ///< one mistake may be seen in several places
};

constexpr Case cases[] = {
    {"potential/sign", "force: PROBLEM: it must be -V', which is ", 1},
    {"potential/factor", "force: PROBLEM: it must be -V', which is ", 1},
    {"potential/tilted",
     "force: PROBLEM: it must be -V', which is -3.13413 at x = -0.521945 by differences of energy, got -3.12413 "
     "(defaults)",
     1},
    {"potential/stretched", "force: PROBLEM: it must be -V', which is ", 1},
    {"potential/step", "energy: PROBLEM: V must be continuous, but changes by ", 1},
    {"potential/half_period", "period: PROBLEM: force(x + 1 L) must be force(x) = ", 1},
    {"potential/kink", "smooth: PROBLEM: it has BM_SMOOTH, but V' jumps from -0.25 to 0.25 at x = ", 1},
    {"potential/hole", "force: PROBLEM: force is nan at x = 0.4", 1},
    {"potential/slopes", "segments: PROBLEM: segment 0 must have the slope -force = ", 1},
    {"potential/gap", "segments: PROBLEM: segment 1 must begin where the one before ends, at 0, got 0.1", 1},
    {"potential/untiled", "segments: PROBLEM: they must tile one period, got 0.5 of it", 1},
    {"potential/host", "force on the device: PROBLEM: the kernel's force at x = ", 1},
    {"potential/forgets", "values: PROBLEM: potential.checked: the plugin's constant tilt must be a number, got nan",
     1},
    {"potential/refuses", "values: PROBLEM: the defaults are refused: potential.checked: no value is good enough", 1},
    {"potential/keeps", "derive: PROBLEM: derive keeps state: push is ", 3},
    {"potential/cold", "time scale: PROBLEM: it must be > 0, got -1 (defaults)", 1},
    {"noise/mean", "mean: PROBLEM: the mean force must be 0 as mean() declares, got 0.0", 1},
    {"noise/variance", "intensity: PROBLEM: the variance of its time integral must grow as 2 D t with D = 0.625 as ",
     1},
    {"noise/slower", "intensity: PROBLEM: ", 1},
    {"noise/sets", "parametrisations: PROBLEM: ", 1},
    {"noise/timeless", "time scale: PROBLEM: it must be > 0, got 0", 1},
    {"noise/idle_start", "states: PROBLEM: 'sign' must be set by start(), where it is read before anything sets it", 2},
    {"drive/period", "force: PROBLEM: force(phase + 1) must be force(phase) = ", 1},
    {"drive/pole", "force: PROBLEM: it is inf at phase 0.5", 2},
    {"drive/host", "force on the device: PROBLEM: the kernel's force at phase 0 is 1, the host function's 2", 1},
    {"drive/timeless", "time scale: PROBLEM: that of a drive is its period and must be finite (defaults)", 1},
};
/// Its kernel is its own: it takes long.
constexpr Case unstarted = {
    "noise/unstarted",
    "states: PROBLEM: 'sign' must be set at t = 0, where it is read: BM_START and start() are missing", 2};

struct Report {
  std::vector<std::string> lines, problems;
  std::string line(const std::string& beginning) const {
    for (const std::string& one : lines)
      if (one.starts_with(beginning)) return one;
    return "";
  }
};

Report check(const fs::path& file) {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Registry registry;
  Report report;
  check_plugin(registry.load(file), {}, [&](const Finding& finding) {
    report.lines.push_back(line_of(finding));
    if (finding.verdict == Verdict::problem) report.problems.push_back(report.lines.back());
  });
  return report;
}

void check_found(const Case& one) {
  CAPTURE(one.name);
  const Report report = check(probes / (std::string(one.name) + ".so"));
  std::string all;
  for (const std::string& line : report.lines) all += line + '\n';
  CAPTURE(all);
  REQUIRE(!report.problems.empty());
  CHECK(report.problems[0].starts_with(one.line));
  CHECK(report.problems.size() == one.problems);
}

}  // namespace

TEST_CASE("Check: every mistake is found, and said with its numbers" * doctest::test_suite("quick")) {
  for (const Case& one : cases) check_found(one);
}
TEST_CASE("Check: a state that is read before anything sets it is found") { check_found(unstarted); }

TEST_CASE("Check: what the broken ones were made of passes, with every check made" * doctest::test_suite("quick")) {
  for (const char* kind : {"potential", "noise", "drive"}) {
    const Report report = check(probes / (std::string(kind) + "/good.so"));
    CAPTURE(kind);
    for (const std::string& line : report.problems) FAIL_CHECK(line);
    CHECK(report.line("kernel for the CPU, single precision: ok") != "");
    CHECK(report.line("kernel for the CPU, double precision: ok") != "");
    CHECK(report.line("kernel for CUDA, double precision: ") != "");
  }
  CHECK(check(probes / "noise/good.so").line("states: ok") != "");
  CHECK(check(probes / "noise/good.so").line("events in groups: ok") != "");
  CHECK(check(probes / "noise/good.so").line("mean: ok") != "");
}

TEST_CASE("Check: every broken plugin that is built has its words tested" * doctest::test_suite("quick")) {
  size_t built = 0;
  for (const auto& entry : fs::recursive_directory_iterator(probes)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".so") && name != "good.so" && !name.starts_with("note_")) ++built;
  }
  CHECK(built == std::size(cases) + 1);
}

TEST_CASE("Check: what cannot be checked says why" * doctest::test_suite("quick")) {
  CHECK(check(probes / "noise/note_undeclared.so").line("mean: ") == "mean: not checked: mean() is not declared");
  const Report absent = check(probes / "noise/note_absent.so");
  CHECK(absent.line("intensity: ") == "intensity: not checked: intensity() is NAN");
  CHECK(absent.line("mean: ok") != "");
  CHECK(check(probes / "noise/note_timeless.so").line("mean: not checked: it has states, but no time_scale ") != "");
  CHECK(check(probes / "potential/note_smooth.so").line("smooth: ") ==
        "smooth: ok, V' jumps nowhere: the flag BM_SMOOTH would make runs faster");
}

TEST_CASE("Check: device text that does not compile is shown with file, line and the compiler's words" *
          doctest::test_suite("quick")) {
  const Report report = check(fs::path(BMSIM_PROBE_DIR) / "device_text.so");
  const std::string line = report.line("kernel for the CPU, single precision: PROBLEM: kernel: ");
  CHECK_MESSAGE(line.find("device_text.cc:5:") != line.npos, line);
  CHECK_MESSAGE(line.find("pow") != line.npos, line);
  const std::string cuda = report.line("kernel for CUDA, single precision: ");
  const bool said = cuda.find("not checked: cuda: ") != cuda.npos || cuda.find("device_text.cc(5)") != cuda.npos ||
                    cuda.find(": ok") != cuda.npos;  // CUDA has a pow
  CHECK_MESSAGE(said, cuda);
  CHECK(report.line("force on the device") == "");
}

TEST_CASE("Check: events that do not work for groups of trajectories are found, though they do one by one") {
  const Report any = check(fs::path(BMSIM_PROBE_DIR) / "any_event.so");
  REQUIRE(any.problems.size() == 1);
  CHECK(any.problems[0].starts_with("events in groups: PROBLEM: path "));
  CHECK(any.problems[0].find(" of a free particle must end at ") != std::string::npos);
  const Report branch = check(fs::path(BMSIM_PROBE_DIR) / "if_event.so");
  REQUIRE(branch.problems.size() == 1);
  CHECK(branch.problems[0].starts_with("events in groups: PROBLEM: kernel: "));
  CHECK_MESSAGE(branch.problems[0].find("if_event.cc:6:") != std::string::npos, branch.problems[0]);
}

TEST_CASE("Check: a coloured noise whose mean over a step is right for short steps alone is found") {
  const Report end = check(fs::path(BMSIM_PROBE_DIR) / "end_for_average.so");
  REQUIRE(end.problems.size() == 1);
  CHECK_MESSAGE(end.problems[0].starts_with("intensity: PROBLEM: the variance of its time integral must grow as 2 D t"),
                end.problems[0]);
  CHECK_MESSAGE(end.problems[0].find(" in a run in steps of 3 time scales ") != std::string::npos, end.problems[0]);
}

TEST_CASE(
    "Check: every function of the dialect takes T, values of P and plain numbers on both devices, as on the host") {
  const Report dialect = check(fs::path(BMSIM_PROBE_DIR) / "dialect.so");
  for (const std::string& line : dialect.problems) FAIL_CHECK(line);
  CHECK(dialect.line("force on the device: ok") != "");
}

TEST_CASE("Check: waiting times of a power law, longer than any run, pass: they disturb nothing in a group") {
  const Report pareto = check(fs::path(BMSIM_PROBE_DIR) / "pareto.so");
  for (const std::string& line : pareto.problems) FAIL_CHECK(line);
  CHECK(pareto.line("events in groups: ok") != "");
}

TEST_CASE("Settings: within the bounds, the same every time, every word of a choice, lists that are accepted" *
          doctest::test_suite("quick")) {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  for (const auto& plugin : Registry::instance().plugins()) {
    const checks::Settings settings = checks::make_settings(*plugin), again = checks::make_settings(*plugin);
    CAPTURE(plugin->full_name());
    REQUIRE(!settings.all.empty());
    REQUIRE(settings.all.size() == again.all.size());
    for (size_t i = 0; i < settings.all.size(); ++i) {
      CHECK(settings.all[i].words == again.all[i].words);
      for (const auto& [name, value] : settings.all[i].given) {
        const bm_parameter& p = find_parameter(*plugin, name);
        if (!p.choices) CHECK_NOTHROW(check_value("", p, value));
      }
    }
    if ((*plugin)->parameter_count > 0) CHECK(settings.all.size() >= 7);
    for (const bm_parameter& p : std::span((*plugin)->parameters, (*plugin)->parameter_count))
      for (size_t word = 0; p.choices && word < choice_words(p).size(); ++word) {
        const auto has_it = [&](const checks::Setting& setting) {
          return setting.resolved.values[p.slot] == static_cast<double>(word);
        };
        CHECK(std::any_of(settings.all.begin(), settings.all.end(), has_it));
      }
  }
}
