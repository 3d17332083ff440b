// The C API as a front end sees it: sessions that know nothing of each other, runs in threads, what they are told.
#include <bmsim/bmsim.h>
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../unit/workplace.h"

namespace {

template <auto Free> struct Freed {
  template <class Object> void operator()(Object* object) const { Free(object); }
};
using Session = std::unique_ptr<bm_session, Freed<bm_session_free>>;
using Model = std::unique_ptr<bm_model, Freed<bm_model_free>>;
using Run = std::unique_ptr<bm_run, Freed<bm_run_free>>;
using Result = std::unique_ptr<bm_result, Freed<bm_result_free>>;

constexpr double short_time = 20, endless = 1e9;

/// Brownian motion in a sine potential with this noise; and the same in one that is a formula.
Model model_of(double D, bool formula = false) {
  bm_plugin_load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model(bm_model_new());
  const char* names[] = {"V0"};
  REQUIRE((formula ? bm_model_add_formula(model.get(), "potential", "sine", "V0*sin(2*pi*x)", names, 1)
                   : bm_model_add(model.get(), "potential", "sine", nullptr)) == BM_OK);
  if (formula) REQUIRE(bm_model_set(model.get(), "sine.V0", 1) == BM_OK);
  REQUIRE(bm_model_add(model.get(), "noise", "gaussian", nullptr) == BM_OK);
  REQUIRE(bm_model_set(model.get(), "gaussian.D", D) == BM_OK);
  REQUIRE(bm_model_set(model.get(), "force", 3) == BM_OK);
  return model;
}

Run run_of(bm_session* session, const Model& model, double time) {
  Run run(bm_run_new(session, model.get()));
  const std::pair<const char*, double> numbers[] = {
      {"paths", 64}, {"dt", 0.01}, {"time", time}, {"threads", 2}, {"check_step", 0}};
  for (const auto& [name, value] : numbers) REQUIRE(bm_run_set_number(run.get(), name, value) == BM_OK);
  REQUIRE(bm_run_set_text(run.get(), "device", "cpu") == BM_OK);
  return run;
}

double velocity(const Result& result) {
  REQUIRE_MESSAGE(result, bm_error());
  return bm_result_column(result.get(), "velocity")[0];
}

/// A step that is too long for the motion, of which the run warns.
Run doubtful_run(bm_session* session) {
  Run run = run_of(session, model_of(1), 200);
  REQUIRE(bm_run_set_number(run.get(), "dt", 0.2) == BM_OK);
  return run;
}

}  // namespace

TEST_CASE("C API: a session's options win over a run's, and are no other session's") {
  const Session session(bm_session_new()), other(bm_session_new());
  REQUIRE(bm_session_set(session.get(), "seed", "7") == BM_OK);
  const Model model = model_of(0.5);
  const auto of = [&](bm_session* which) {
    return velocity(Result(bm_run_execute(run_of(which, model, short_time).get())));
  };
  const double with = of(session.get()), without = of(nullptr);
  CHECK(with != without);
  CHECK(of(other.get()) == without);
  const Run run = run_of(nullptr, model, short_time);
  REQUIRE(bm_run_set_number(run.get(), "seed", 7) == BM_OK);
  CHECK(velocity(Result(bm_run_execute(run.get()))) == with);
  CHECK(bm_session_set(session.get(), "sead", "7") == BM_USAGE_ERROR);
  CHECK(std::string(bm_error()) == "unknown option 'sead'; did you mean 'seed'?");
  CHECK(bm_session_set(session.get(), "threads", "two") == BM_USAGE_ERROR);
  CHECK(bm_session_set(session.get(), "sead", "") == BM_USAGE_ERROR);
}

TEST_CASE("C API: an option that is set to an empty text is no longer set") {
  const Session session(bm_session_new());
  const Model model = model_of(0.5);
  const auto result = [&](bm_session* which) { return Result(bm_run_execute(run_of(which, model, short_time).get())); };
  const double without = velocity(result(nullptr));
  REQUIRE(bm_session_set(session.get(), "seed", "7") == BM_OK);
  REQUIRE(bm_session_set(session.get(), "seed", "") == BM_OK);
  CHECK(velocity(result(session.get())) == without);
  REQUIRE(bm_session_set(session.get(), "strict", "1") == BM_OK);
  REQUIRE(bm_session_set(session.get(), "strict", "") == BM_OK);
  CHECK(Result(bm_run_execute(doubtful_run(session.get()).get())));
}

TEST_CASE("C API: warnings come to who asked for them, with what they gave, and are errors where that is wanted") {
  const Session session(bm_session_new());
  std::vector<std::string> heard;
  bm_session_on_warning(
      session.get(),
      [](void* user, const char* text) { static_cast<std::vector<std::string>*>(user)->push_back(text); }, &heard);
  const Result result(bm_run_execute(doubtful_run(session.get()).get()));
  REQUIRE_MESSAGE(result, bm_error());
  REQUIRE(heard.size() == 1);
  std::string kept;
  for (size_t i = 0; i < bm_result_info_count(result.get()); ++i)
    if (std::string(bm_result_info_key(result.get(), i)) == "warnings") kept = bm_result_info_value(result.get(), i);
  CHECK(kept == heard[0]);
  REQUIRE(bm_session_set(session.get(), "strict", "1") == BM_OK);
  CHECK(bm_run_execute(doubtful_run(session.get()).get()) == nullptr);
  CHECK(bm_error() == heard[0] + " (--strict)");
  CHECK(heard.size() == 2);
  bm_session_on_warning(session.get(), nullptr, nullptr);
  CHECK(bm_run_execute(doubtful_run(session.get()).get()) == nullptr);
  CHECK(heard.size() == 2);
}

TEST_CASE("C API: progress comes to who asked for it, with what they gave") {
  const Session session(bm_session_new());
  double last = 0;
  bm_session_on_progress(
      session.get(), [](void* user, const bm_progress* progress) { *static_cast<double*>(user) = progress->fraction; },
      &last);
  CHECK(Result(bm_run_execute(run_of(session.get(), model_of(0.5), short_time).get())));
  CHECK(last == 1);
}

TEST_CASE("C API: a run that is started gives what it gives when it is executed") {
  const Model model = model_of(0.5);
  const double expected = velocity(Result(bm_run_execute(run_of(nullptr, model, short_time).get())));
  Session session(bm_session_new());
  const Run run = run_of(session.get(), model, short_time);
  session.reset();  // a run keeps what it needs
  CHECK(bm_run_poll(run.get(), 0, nullptr) == 1);
  CHECK(bm_run_finish(run.get()) == nullptr);
  CHECK(std::string(bm_error()) == "run: it was not started: see bm_run_start");
  for (int twice = 0; twice < 2; ++twice) {
    REQUIRE(bm_run_start(run.get()) == BM_OK);
    CHECK(bm_run_start(run.get()) == BM_ERROR);
    CHECK(bm_run_set_number(run.get(), "paths", 1) == BM_ERROR);
    CHECK(std::string(bm_error()) == "run: it was started: end it with bm_run_finish before anything else");
    const bm_progress* progress = nullptr;
    while (bm_run_poll(run.get(), 10, &progress) == 0) CHECK(progress->fraction < 1);
    CHECK(progress->fraction == 1);
    CHECK(velocity(Result(bm_run_finish(run.get()))) == expected);
  }
}

TEST_CASE("C API: a run that fails in its thread says why to who finishes it") {
  const Run run = run_of(nullptr, model_of(0.5), short_time);
  REQUIRE(bm_run_set_text(run.get(), "output", "/no/such/directory/r.csv") == BM_OK);
  REQUIRE(bm_run_start(run.get()) == BM_OK);
  CHECK(bm_run_finish(run.get()) == nullptr);
  CHECK(bm_last_status() == BM_ERROR);
  CHECK(std::string(bm_error()).find("/no/such/directory") != std::string::npos);
}

TEST_CASE("C API: a cancelled run ends, once, and its session's others go on") {
  const Session session(bm_session_new());
  const Model model = model_of(0.5);
  const Run run = run_of(session.get(), model, endless), other = run_of(session.get(), model, short_time);
  REQUIRE(bm_run_start(run.get()) == BM_OK);
  CHECK(bm_run_poll(run.get(), 0.1, nullptr) == 0);
  REQUIRE(bm_run_start(other.get()) == BM_OK);
  bm_run_cancel(run.get());
  CHECK(bm_run_finish(run.get()) == nullptr);
  CHECK(bm_last_status() == BM_INTERRUPTED);
  CHECK(std::string(bm_error()) == "run: interrupted");
  CHECK(Result(bm_run_finish(other.get())));
  bm_run_cancel(run.get());  // before it begins
  CHECK(bm_run_execute(run.get()) == nullptr);
  CHECK(bm_last_status() == BM_INTERRUPTED);
  REQUIRE(bm_run_set_number(run.get(), "time", short_time) == BM_OK);
  CHECK(Result(bm_run_execute(run.get())));
  const Run dropped = run_of(session.get(), model, endless);
  REQUIRE(bm_run_start(dropped.get()) == BM_OK);  // and is freed while it is under way
}

TEST_CASE("C API: an interrupt ends the runs of its session") {
  const Session session(bm_session_new()), other(bm_session_new());
  const Model model = model_of(0.5);
  const Run run = run_of(session.get(), model, endless), spared = run_of(other.get(), model, short_time);
  REQUIRE(bm_run_start(run.get()) == BM_OK);
  REQUIRE(bm_run_start(spared.get()) == BM_OK);
  bm_session_interrupt(session.get());
  CHECK(bm_run_finish(run.get()) == nullptr);
  CHECK(bm_last_status() == BM_INTERRUPTED);
  CHECK(Result(bm_run_finish(spared.get())));
  CHECK(Result(bm_run_execute(run_of(session.get(), model, short_time).get())));
}

// What build/tests/capi/test_capi_sanitized does under ThreadSanitizer.
TEST_CASE("C API: a result tells its axes and how it was made") {
  const Session session(bm_session_new());
  Run run = run_of(session.get(), model_of(1, true), 1);
  const char* force = "force";
  const char* both[] = {"sine.V0", "gaussian.D"};
  const double forces[] = {1, 2, 3}, values[] = {1, 2, 0.5, 0.6};
  REQUIRE(bm_run_add_axis(run.get(), &force, 1, forces, 3) == BM_OK);
  REQUIRE(bm_run_add_axis(run.get(), both, 2, values, 2) == BM_OK);
  const Result result(bm_run_execute(run.get()));
  REQUIRE_MESSAGE(result, bm_error());
  CHECK(bm_result_sweep_axes(result.get()) == 2);
  CHECK(bm_result_sweep_length(result.get(), 0) == 3);
  CHECK(bm_result_sweep_length(result.get(), 2) == 0);
  CHECK(bm_result_sweep_name(result.get(), 1, 1) == std::string("gaussian.D"));
  CHECK(bm_result_sweep_name(result.get(), 1, 2) == nullptr);
  std::string names, manifest;
  for (size_t i = 0; bm_result_text_name(result.get(), i) != nullptr; ++i) {
    names += bm_result_text_name(result.get(), i) + std::string(" ");
    manifest = bm_result_text_value(result.get(), i);
  }
  CHECK(names == "title history bmsim info manifest ");
  CHECK(manifest.find("sweep: [force, [sine.V0, gaussian.D]]") != manifest.npos);
}

TEST_CASE("C API: a dry run is that of the settings when it is asked for, whatever was planned before") {
  const Session session(bm_session_new());
  const Run run = run_of(session.get(), model_of(1), short_time);
  const auto info = [](const Result& result, const std::string& key) {
    for (size_t i = 0; i < bm_result_info_count(result.get()); ++i)
      if (bm_result_info_key(result.get(), i) == key) return std::string(bm_result_info_value(result.get(), i));
    return std::string();
  };
  for (const char* seed : {"7", "8"}) {
    REQUIRE(bm_session_set(session.get(), "seed", seed) == BM_OK);
    const Result dry(bm_run_dry(run.get()));
    REQUIRE_MESSAGE(dry, bm_error());
    CHECK(info(dry, "seed") == seed);
    REQUIRE(bm_run_plan(run.get()) != nullptr);
  }
  REQUIRE(bm_run_plan(run.get()) != nullptr);
  REQUIRE(bm_run_set_number(run.get(), "paths", 32) == BM_OK);
  CHECK(info(Result(bm_run_dry(run.get())), "paths") == "32");
}

TEST_CASE("C API: independent objects in independent threads") {
  constexpr int count = 4;
  const Model model = model_of(0.5);
  const double expected = velocity(Result(bm_run_execute(run_of(nullptr, model, short_time).get())));
  std::atomic<int> right{0}, ended{0}, told{0};
  const bmsim::test::Workplace work;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i, copy = Run(run_of(nullptr, model, short_time))] {
      const Session session(bm_session_new());
      bm_session_on_progress(
          session.get(), [](void* user, const bm_progress*) { ++*static_cast<std::atomic<int>*>(user); }, &told);
      // A model of its own, of a formula that another thread compiles as well; a copy of one that all have.
      const Model own = model_of(0.5, i % 2 == 1);
      const Run run = run_of(session.get(), own, short_time), long_one = run_of(session.get(), own, endless);
      if (bm_run_start(long_one.get()) != BM_OK) return;
      const Result result(bm_run_execute(run.get())), same(bm_run_execute(copy.get()));
      if (result && same && bm_result_column(same.get(), "velocity")[0] == expected) ++right;
      const std::string file = work.root / ("threads_" + std::to_string(i) + ".nc");
      if (!result || bm_result_write(result.get(), file.c_str()) != BM_OK || bm_file_show(file.c_str()) == nullptr)
        return;
      bm_run_cancel(long_one.get());
      if (bm_run_finish(long_one.get()) == nullptr && bm_last_status() == BM_INTERRUPTED) ++ended;
    });
  for (int i = 0; i < 20; ++i) {
    bm_plugin_load_directory(BMSIM_PLUGIN_BUILD_DIR);
    CHECK(std::string(bm_plugin_property(0, "kind")) == "noise");
    CHECK(bm_component_check("noise", "no_such", nullptr, 0) == BM_ERROR);
    CHECK(std::string(bm_error()).starts_with("unknown noise 'no_such'"));
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == count);
  CHECK(ended == count);
  CHECK(told > 0);
}

TEST_CASE("options and observables of a run say what they are, and nothing beyond their number") {
  const auto property = [](auto of, size_t count, const std::string& name, const char* key) -> std::string {
    for (size_t i = 0; i < count; ++i)
      if (name == of(i, "name")) return of(i, key) == nullptr ? "null" : of(i, key);
    return "no such name";
  };
  const auto of_option = [&](const char* name, const char* key) {
    return property(bm_option_property, bm_option_count(), name, key);
  };
  CHECK(of_option("paths", "type") == "whole number");
  CHECK(of_option("dt", "per_point") == "yes");
  CHECK(of_option("paths", "per_point") == "null");
  CHECK(of_option("transient", "words") == "yes");
  CHECK(of_option("label", "type") == "text");
  CHECK(of_option("label", "no such key") == "null");
  CHECK(bm_option_property(bm_option_count(), "name") == nullptr);

  const auto of_observable = [&](const char* name, const char* key) {
    return property(bm_observable_property, bm_observable_count(), name, key);
  };
  CHECK(of_observable("time_averaged_msd", "options").find("lags") != std::string::npos);
  CHECK_FALSE(of_observable("velocity", "summary").empty());
  CHECK(of_observable("velocity", "no such key") == "null");
  CHECK(bm_observable_property(bm_observable_count(), "name") == nullptr);
}
