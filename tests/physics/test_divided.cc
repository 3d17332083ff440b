// A run that is divided between several workers, interrupted and continued, or done in parts, gives the bits of an
// undivided run.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "all_kinds.h"
#include "engine/run.h"
#include "engine/runner.h"
#include "error.h"
#include "interruption.h"
#include "journal/journal.h"
#include "world/world.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

/// A run, drawn at random: any model, in one of the ways in which paths are asked for.
struct Drawn {
  std::string name;
  Model model;
  Sweep sweep;
  RunOptions run = options();
};

std::vector<Case> all_models() {
  std::vector<Case> all = cases();
  all.push_back({"mixed system", mixed(), "heun"});
  all.push_back({"active particle", active_particle(0.3, 2, 0.1, 0.5), "heun"});
  all.push_back({"two junctions", two_junctions(), "aboba"});
  all.push_back({"amplitude", landauer("ito"), "heun"});
  all.push_back({"kicked pair", kicked_pair(), "heun"});
  all.push_back({"mean fields", crowd(false), "heun"});
  all.push_back({"mean fields with inertia", crowd(true), "heun"});
  all.push_back({"mean fields and zeros", network(false), "heun"});
  return all;
}

/// The i-th run of every model in turn.
Drawn drawn(size_t i) {
  std::mt19937_64 random(1000 + i);
  const auto below = [&](uint64_t n) { return random() % n; };
  const std::vector<Case> models = all_models();
  const Case& one = models[i % models.size()];
  Drawn all{one.name, one.model, {}, options()};
  const std::string_view method = one.method;
  const bool exact = method == "exact", together = !one.model.fields().empty();
  RunOptions& run = all.run;
  run.method = one.method;
  run.random_phases = one.random_phases;
  run.threads = 1;
  run.seed = 1 + below(1000);
  run.paths = (i % 3 == 2 ? 2 * bundle_paths : 65) + below(400);
  run.transient = 0.13;
  run.spp = 30;
  run.periods = exact ? 500 : 20;
  if (one.model.is_system() || one.model.has_amplitude()) {
    run.spp.reset(), run.periods.reset();
    run.dt = 0.01, run.time = 6;
  }
  std::vector<double> forces;
  for (uint64_t k = 0; k <= below(4); ++k) forces.push_back(0.1 * static_cast<double>(k));
  if (!together) all.sweep.add_axis({one.model.is_system() ? "force_x" : "force"}, {forces});
  run.observables = {"velocity", "diffusion"};
  const std::string column = one.model.is_system() ? "velocity_" + one.model.variables()[0].name : "velocity";
  const bool jumps = has_events(one.model) || !one.model.events().empty();
  if (together) {
    run.paths = 20 + below(100);
    run.replicas = 17;
    return all;
  }
  switch (below(exact ? 2 : 5)) {
    case 0:
      break;
    case 1:
      run.targets = {{column, 0, 0.02}};
      run.limit = 4 * run.paths;
      break;
    case 2:
      run.observables.push_back({"moments", {{"count", {5}}}});
      break;
    case 3:
      if (method != "paper" && method != "adaptive") run.step_error = true;
      break;
    default:
      if (!jumps && method != "paper" && method != "adaptive") {
        run.tolerances = {{column, 0.3, 0.1}};
        run.limit = 16 * run.paths;
      } else if (!one.model.is_system()) {
        run.find_transient = true;
      }
  }
  return all;
}

RunOutcome outcome_of(const Drawn& one, const RunHooks& hooks) {
  Plan plan = make_plan(one.model, one.sweep, one.run);
  if (one.run.find_transient) find_transients(plan, hooks);
  return bmsim::run(plan, hooks);
}

/// Every number of a run; nan as a number that is equal to itself.
std::vector<double> numbers(const Drawn& one, const RunHooks& hooks = {}) {
  const RunOutcome outcome = outcome_of(one, hooks);
  std::vector<double> all;
  for (const auto* table : {&outcome.estimates, &outcome.step_errors, &outcome.extrapolated})
    for (const auto& column : *table)
      for (const Estimate& estimate : column) all.insert(all.end(), {estimate.value, estimate.error});
  for (const Array& array : outcome.arrays) all.insert(all.end(), array.values.begin(), array.values.end());
  for (const Choice& choice : outcome.choices) all.insert(all.end(), choice.values.begin(), choice.values.end());
  all.insert(all.end(), outcome.paths.begin(), outcome.paths.end());
  all.insert(all.end(), outcome.reached.begin(), outcome.reached.end());
  for (const Divergence& point : outcome.diverged) all.push_back(static_cast<double>(point.path));
  for (const StepCheck::Seen& seen : outcome.step_check.seen) all.insert(all.end(), {seen.error, seen.error_of_it});
  for (const TransientCheck::Seen& seen : outcome.transient_check.seen)
    all.insert(all.end(), {seen.first, seen.second, seen.z});
  all.push_back(outcome.steps);
  for (double& number : all)
    if (std::isnan(number)) number = -1e99;
  return all;
}

/// The name of the k-th of several workers on the test suite's device.
std::string worker(size_t k) {
  const std::string device = options().device;
  if (device == "all") return fmt::format("cuda:{}", k % static_cast<size_t>(gpu_count()));
  return device == "auto" ? "cpu" : device;
}

/// The same on this many workers, in batches of any size.
std::vector<double> divided(Drawn one, size_t workers, uint64_t memory, const RunHooks& hooks = {}) {
  one.run.device = worker(0);
  for (size_t k = 1; k < workers; ++k) one.run.device += "," + worker(k);
  one.run.memory = memory;
  return numbers(one, hooks);
}

/// A directory of this process, empty.
std::filesystem::path fresh_directory() {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("bmsim_divided_{}", getpid());
  std::filesystem::remove_all(path);
  return path;
}

/// The same, interrupted at random, with the rest done by any number of workers: how often in `times`.
std::vector<double> interrupted(const Drawn& one, std::mt19937_64& random, int& times) {
  const auto directory = fresh_directory();
  for (times = 0;; ++times) {
    Journal journal(directory, {}, random() % 2 == 0 ? 0 : 600);  // with states of all launches, or of the last
    // Every loop on the host asks: far more often than there are launches, and in any thread.
    std::atomic<uint64_t> left = times < 12 ? random() % (uint64_t{1} << random() % 9) : UINT64_MAX;
    RunHooks hooks;
    hooks.journal = &journal;
    hooks.interrupted = [&] { return left-- == 0; };
    try {
      Drawn part = one;
      part.run.chunk = 1 + random() % 100;
      return divided(part, 1 + random() % 3, random() % 2 == 0 ? 0 : 50000, hooks);
    } catch (const Interruption& end) {
      REQUIRE(end.status() == BM_UNFINISHED);
    }
  }
}

/// The same in parts by processes of their own, one after the other and in turn, until all is there.
std::vector<double> in_parts(const Drawn& one, unsigned parts) {
  const auto directory = fresh_directory();
  for (unsigned number = 1;; number = number % parts + 1) {
    Journal journal(directory, {number, parts});
    RunHooks hooks;
    hooks.journal = &journal;
    try {
      return divided(one, 1 + number % 2, 0, hooks);
    } catch (const Error& error) {
      REQUIRE(error.status() == BM_PART_DONE);
    }
  }
}

void check_kept(size_t first, size_t every, bool parts) {
  std::mt19937_64 random(1);
  int all = 0;
  for (size_t i = first; i < all_models().size(); i += every) {
    const Drawn one = drawn(i);
    CAPTURE(i);
    CAPTURE(one.name);
    const std::vector<double> whole = divided(one, 1, 0);
    int times = 0;
    if (parts)
      CHECK(in_parts(one, 2 + static_cast<unsigned>(i % 3)) == whole);
    else
      CHECK(interrupted(one, random, times) == whole);
    all += times;
  }
  std::filesystem::remove_all(fresh_directory());
  if (!parts) CHECK(all > 6);
}

/// The numbers of one point; nan as a number that is equal to itself.
std::vector<double> numbers_at(size_t point, const RunOutcome& outcome) {
  std::vector<double> all;
  for (const auto* table : {&outcome.estimates, &outcome.step_errors, &outcome.extrapolated})
    for (const auto& column : *table) all.insert(all.end(), {column[point].value, column[point].error});
  for (const Array& array : outcome.arrays) {
    const auto size = static_cast<ptrdiff_t>(array.values.size() / outcome.paths.size());
    const auto from = array.values.begin() + static_cast<ptrdiff_t>(point) * size;
    all.insert(all.end(), from, from + size);
  }
  for (const Choice& choice : outcome.choices) all.push_back(choice.values[point]);
  all.push_back(static_cast<double>(outcome.paths[point]));
  for (double& number : all)
    if (std::isnan(number)) number = -1e99;
  return all;
}

/// How often a run that was interrupted had a point, lacked one, or gave nothing.
struct Unfinished {
  size_t given = 0, without = 0, nothing = 0;
};

/// Interrupts runs of all models without a journal. What they give of a point is what the whole run gives, or nan.
/// sixth: of every sixth model, or else of the others.
void interrupt_all(bool sixth, std::mt19937_64& random, Unfinished& seen) {
  for (size_t i = 0; i < all_models().size(); ++i) {
    if ((i % 6 == 0) != sixth) continue;
    Drawn drawn_run = drawn(i);
    drawn_run.run.device = worker(0);
    drawn_run.run.memory = 50000;
    drawn_run.run.chunk = 200;
    CAPTURE(i);
    CAPTURE(drawn_run.name);
    std::atomic<uint64_t> asked = 0;
    RunHooks hooks;
    hooks.interrupted = [&] { return ++asked == 0; };
    const RunOutcome whole = outcome_of(drawn_run, hooks);
    CHECK(complete(whole));
    const size_t points = whole.paths.size();
    for (int often = 0; often < 20; ++often) {
      std::atomic<uint64_t> left = random() % asked;
      hooks.interrupted = [&] { return left-- == 0; };
      try {
        const RunOutcome part = outcome_of(drawn_run, hooks);
        if (part.finished.empty()) continue;  // it was over before: how often it asks depends on the time
        const auto lacking = std::ranges::count(part.finished, false) + std::ranges::count(part.reached, false);
        CHECK(complete(part) == (lacking == 0));
        for (size_t point = 0; point < points; ++point) {
          const std::vector<double> got = numbers_at(point, part);
          const bool there = finished(part, point);
          const bool reached = part.reached.empty() || part.reached[point];
          ++(there ? seen.given : seen.without);
          if (there && reached) CHECK(got == numbers_at(point, whole));
          if (there && !reached) CHECK((part.paths[point] > 0 && std::isfinite(part.estimates[0][point].value)));
          if (!there) CHECK(std::ranges::all_of(got, [](double number) { return number == -1e99 || number == 0; }));
          if (!there) CHECK(part.paths[point] == 0);
        }
      } catch (const Interruption& end) {
        CHECK(end.status() == BM_INTERRUPTED);
        ++seen.nothing;
      }
    }
  }
}

/// How often a run asks depends on the time, so that on a busy machine a round may see too little of one kind.
void check_unfinished(bool sixth) {
  const size_t least = sixth ? 5 : 25;
  std::mt19937_64 random(2);
  Unfinished seen;
  const auto enough = [&] { return seen.given > 4 * least && seen.without > least && seen.nothing > least; };
  for (int round = 0; round < 20 && !enough(); ++round) interrupt_all(sixth, random, seen);
  CAPTURE(seen.given);
  CAPTURE(seen.without);
  CAPTURE(seen.nothing);
  CHECK(enough());
}

void check_divided(size_t first, size_t every) {
  for (size_t i = first; i < all_models().size(); i += every) {
    const Drawn one = drawn(i);
    CAPTURE(i);
    CAPTURE(one.name);
    const std::vector<double> whole = divided(one, 1, 0);
    REQUIRE(whole.size() > 4);
    CHECK(divided(one, 2, 0) == whole);
    CHECK(divided(one, 5, 0) == whole);
    CHECK(divided(one, 3, 50000) == whole);
  }
}

/// A kernel of a device that is lost after some launches.
class LostKernel : public Kernel {
 public:
  LostKernel(std::unique_ptr<Kernel> kernel, int launches) : kernel_(std::move(kernel)), left_(launches) {}
  const KernelLayout& layout() const override { return kernel_->layout(); }
  Pace pace() const override { return kernel_->pace(); }
  void record_rate(double) const override {}
  std::unique_ptr<Ensemble> ensemble(Batch batch) override {
    return std::make_unique<LostEnsemble>(kernel_->ensemble(std::move(batch)), left_);
  }

 private:
  class LostEnsemble : public Ensemble {
   public:
    LostEnsemble(std::unique_ptr<Ensemble> ensemble, int& left) : ensemble_(std::move(ensemble)), left_(left) {}
    void start() override { ensemble_->start(); }
    std::string save() override { return ensemble_->save(); }
    void restore(std::string_view state) override { ensemble_->restore(state); }
    bool advance(uint64_t blocks) override {
      if (left_-- <= 0) fail_device("the device is lost");
      return ensemble_->advance(blocks);
    }
    void window(std::span<const WindowTarget> targets) const override { ensemble_->window(targets); }
    std::unique_ptr<Samples> samples(size_t first, size_t paths) override { return ensemble_->samples(first, paths); }
    std::vector<int64_t> sums(size_t share) const override { return ensemble_->sums(share); }

   private:
    std::unique_ptr<Ensemble> ensemble_;
    int& left_;
  };

  std::unique_ptr<Kernel> kernel_;
  int left_;
};

/// Velocities and mobilities of a sweep on three devices, which are lost after so many launches; outcome: of the run.
std::vector<double> with_losses(const std::vector<int>& launches, RunOutcome& outcome) {
  Drawn one{"mobility", cases()[4].model, {}, options()};
  one.run.device = "cpu,cpu,cpu";
  one.run.paths = 300;
  one.run.dt = 0.02, one.run.time = 5;
  one.run.threads = 3;
  one.run.chunk = 80;
  one.run.memory = 20000;  // a share takes several batches
  one.run.observables = {"velocity", "mobility"};
  one.sweep.add_axis({"force"}, {{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}});
  const Plan plan = make_plan(one.model, one.sweep, one.run);
  Compiled compiled = compile(plan, outcome);
  for (size_t i = 0; i < launches.size(); ++i)
    if (launches[i] >= 0)
      compiled.kernels[i] = std::make_unique<LostKernel>(std::move(compiled.kernels[i]), launches[i]);
  std::vector<double> all;
  const RunHooks hooks;
  Runner runner(plan, hooks, compiled.backends, compiled.kernels, outcome, [&](size_t, const ShareResult& share) {
    for (const Estimate& column : share.columns) all.insert(all.end(), {column.value, column.error});
  });
  runner.run_shares(first_shares(plan));
  return all;
}

}  // namespace

TEST_CASE("the work of a device that fails is done by the others, at whatever time it fails" *
          doctest::test_suite("quick")) {
  RunOutcome none;
  const std::vector<double> whole = with_losses({}, none);
  REQUIRE(whole.size() == 28);
  CHECK(none.warnings.empty());
  const uint64_t all = none.launches / 3;  // of a device
  for (const uint64_t launches : {uint64_t{0}, all / 7, all / 3, all / 2, 3 * all / 4}) {
    CAPTURE(launches);
    const int n = static_cast<int>(launches);
    for (const std::vector<int>& lost : {std::vector<int>{n}, {-1, n}, {n / 2, -1, n}}) {
      RunOutcome outcome;
      CHECK(with_losses(lost, outcome) == whole);
      REQUIRE(outcome.warnings.size() == std::ranges::count_if(lost, [](int one) { return one >= 0; }));
      CHECK(outcome.warnings[0] == "run: cpu failed; the other devices do its work: the device is lost");
    }
    RunOutcome outcome;
    CHECK_THROWS_WITH_AS(with_losses({n, n, n}, outcome), "cpu: the device is lost", Error);
  }
}

TEST_CASE("every number of a run has the same bits on 1, 2, 3 and 5 workers") { check_divided(0, 6); }
TEST_CASE("every number of a run has the same bits on 1, 2, 3 and 5 workers: other models") {
  for (const size_t first : {1, 2, 3, 4, 5}) check_divided(first, 6);
}

TEST_CASE("a run that is interrupted at random and goes on elsewhere gives the same bits") { check_kept(0, 6, false); }
TEST_CASE("a run that is interrupted at random and goes on elsewhere gives the same bits: other models") {
  for (const size_t first : {1, 2, 3, 4, 5}) check_kept(first, 6, false);
}
TEST_CASE("a run that is interrupted gives the points that were finished, and nan for the others" *
          doctest::test_suite("quick")) {
  check_unfinished(true);
}
TEST_CASE("a run that is interrupted gives the points that were finished, and nan for the others: other models") {
  check_unfinished(false);
}
TEST_CASE("the parts of a run, each by a process of its own, give the same bits together" *
          doctest::test_suite("quick")) {
  check_kept(0, 6, true);
}
TEST_CASE("the parts of a run, each by a process of its own, give the same bits together: other models") {
  for (const size_t first : {1, 2, 3, 4, 5}) check_kept(first, 6, true);
}

TEST_CASE("runs that differ only in what the host makes of the paths have nothing in common in a journal" *
          doctest::test_suite("quick")) {
  // A parameter of a recorded formula; the unit of length, with all else in proportion.
  const auto directory = fresh_directory();
  Journal journal(directory, {});
  RunHooks hooks;
  hooks.journal = &journal;
  RunOptions run = options();
  run.paths = 64;
  run.dt = 0.01, run.time = 1;
  run.check_step = false;
  std::vector<double> seen;
  for (const double a : {1.0, 2.0}) {
    make_model({});  // loads the plugins
    Model model;
    model.make_system({{"x"}}, {"a"});
    model.add(BM_NOISE, "gaussian", "bath", "x");
    model.set_equations({"-x + 0*a*x"});
    model.set("a", a);
    run.observables = {{"moments", {{"times", {1}}}, {{"of", "a*x"}, {"name", "ax"}}}};
    for (const Array& array : bmsim::run(make_plan(model, Sweep(), run), hooks).arrays)
      if (array.name == "ax_cumulant_2") seen.push_back(array.values[0]);
  }
  REQUIRE(seen.size() == 2);
  CHECK(seen[1] == doctest::Approx(4 * seen[0]));
  run.observables = {"velocity"};
  run.starts["x"] = {0, 0, 0, 0};
  std::vector<double> velocities;
  for (const double length : {1.0, 2.0}) {
    const Model model = make_model({{BM_POTENTIAL, "sine", {{"L", length}, {"V0", length * length}}},
                                    {BM_NOISE, "gaussian", {{"D", 0.2 * length * length}}}},
                                   0.5 * length);
    velocities.push_back(bmsim::run(make_plan(model, Sweep(), run), hooks).estimates[0][0].value);
  }
  CHECK(velocities[1] == doctest::Approx(2 * velocities[0]));
  std::filesystem::remove_all(directory);
}

TEST_CASE("a path that diverges in one piece of a point spoils the whole point, and is named" *
          doctest::test_suite("quick")) {
  make_model({});  // loads the plugins
  Model model;
  model.make_system({{"x"}}, {"a"});
  model.add(BM_NOISE, "gaussian", "bath", "x");
  model.set("bath.D", 0.4);
  model.set_equations({"-a*x + x^3"});
  Drawn one{"escape", model, {}, options()};
  one.run.paths = 8 * bundle_paths + 100;
  one.run.dt = 0.02, one.run.time = 5;
  one.run.threads = 1;
  one.run.check_step = false;
  one.run.observables = {"velocity", "diffusion"};
  one.run.starts["x"] = {0, 0, 0, 0};
  one.sweep.add_axis({"a"}, {{4, 10}});
  const RunOutcome outcome = outcome_of(one, {});
  REQUIRE(outcome.diverged.size() == 1);
  CHECK(outcome.diverged[0].point == 0);
  CHECK(outcome.diverged[0].path > bundle_paths);  // not in the first bundle
  CHECK(std::isnan(outcome.estimates[0][0].value));
  CHECK(std::isfinite(outcome.estimates[0][1].error));
  const std::vector<double> whole = divided(one, 1, 0);
  for (const size_t workers : {2, 4}) CHECK(divided(one, workers, 0) == whole);
  CHECK(divided(one, 2, 50000) == whole);
  CHECK(in_parts(one, 3) == whole);
}

TEST_CASE("perturbed paths and those that are recorded are divided, too") {
  Drawn one{"mobility", cases()[4].model, {}, options()};
  one.run.paths = 777;
  one.run.dt = 0.02, one.run.time = 5;
  one.run.threads = 1;
  one.run.observables = {"velocity", "mobility", {"moments", {{"count", {4}}}}, {"paths", {{"paths", {700}}}}};
  one.sweep.add_axis({"force"}, {{0.1, 0.2, 0.3}});
  const std::vector<double> whole = divided(one, 1, 0);
  for (const size_t workers : {2, 4}) CHECK(divided(one, workers, 0) == whole);
  CHECK(divided(one, 2, 20000) == whole);
  std::mt19937_64 random(7);
  int times = 0, all = 0;
  for (int k = 0; k < 8; ++k) {
    CHECK(interrupted(one, random, times) == whole);
    all += times;
  }
  CHECK(all > 8);
  CHECK(in_parts(one, 2) == whole);
  CHECK(in_parts(one, 4) == whole);
  std::filesystem::remove_all(fresh_directory());
}

// tests/script/checks/mpi.sh starts this under MPI's launcher, and compares the files.
TEST_CASE("every number of a run has the same bits on any number of ranks" * doctest::skip()) {
  const char* file = std::getenv("BMSIM_RANKS_WRITE");
  REQUIRE(file != nullptr);
  World& world = World::instance();
  for (size_t i = 0; i < all_models().size(); ++i) {
    Drawn one = drawn(i);
    one.run.device = "cpu";
    const std::vector<double> all = numbers(one);
    if (world.rank() > 0) continue;
    std::ofstream out(file, std::ios::app);
    out << i << " " << one.name;
    for (const double number : all) out << fmt::format(" {:a}", number);
    out << "\n";
  }
  world.end();
}

TEST_CASE("a list of devices: names, and kinds that differ" * doctest::test_suite("quick")) {
  const auto message = [](const std::string& device) {
    try {
      make_backends(device, 1);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  CHECK(make_backends("cpu,cpu", 2).size() == 2);
  CHECK(message("cpu,").starts_with("device: unknown device ''"));
  CHECK(message("cpu,auto") == "device: auto is one device; a list has names like cpu and cuda:N, got 'cpu,auto'");
  CHECK(message("cpu,gpu").starts_with("device: unknown device 'gpu'"));
}
