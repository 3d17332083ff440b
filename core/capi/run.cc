// bm_run_*: the options of a run, and a run in a thread of its own.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "capi/objects.h"
#include "observe/known.h"
#include "plan/options.h"

using namespace bmsim;

namespace {

Target error_wanted(const char* option, const char* column, double relative, double absolute) {
  for (const auto& [word, value] : {std::pair("rel", relative), std::pair("abs", absolute)})
    if (!(value >= 0 && std::isfinite(value)))
      fail("run: {}: {} of {} must be > 0, got {}", option, word, column, value);
  if (relative == 0 && absolute == 0) fail("run: {}: {} must have rel or abs > 0", option, column);
  return {column, relative, absolute};
}

}  // namespace

namespace bmsim {

ModelValues values_at(Model model, const Sweep& sweep, size_t point) {
  for (size_t i = 0; i < sweep.names().size(); ++i)
    if (!is_per_point(sweep.names()[i])) model.set(sweep.names()[i], sweep.values()[i][point]);
  return evaluate(model);
}

Task::Task(Work work)
    : progress_{0, 0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()},
      thread_([this, work = std::move(work)] { run(work); }) {}

Task::~Task() {
  if (thread_.joinable()) thread_.join();
  bm_result_free(result_);
}

void Task::run(const Work& work) {
  bm_result* result = work([this](const bm_progress& progress) {
    const std::lock_guard lock(mutex_);
    progress_ = progress;
  });
  const std::lock_guard lock(mutex_);
  result_ = result;
  if (result == nullptr) status_ = bm_last_status(), error_ = bm_error();
  done_ = true;
  ended_.notify_all();
}

bool Task::wait(double seconds) {
  const auto most = std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e6));
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, most, [this] { return done_; });
}

bm_progress Task::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

bm_result* Task::take() {
  if (thread_.joinable()) thread_.join();
  if (result_ == nullptr) set_failure(error_.c_str(), status_);
  return std::exchange(result_, nullptr);
}

}  // namespace bmsim

extern "C" {

bm_run* bm_run_new(bm_session* session, const bm_model* model) {
  return guarded_pointer([&] {
    auto run = std::make_unique<bm_run>();
    run->session = session_of(session);
    run->model = model->model;
    return run.release();
  });
}
void bm_run_free(bm_run* run) {
  if (run != nullptr) run->cancelled = true;
  delete run;
}

bm_status bm_run_add_axis(bm_run* run, const char* const* names, size_t name_count, const double* values,
                          size_t length) {
  return guarded([&] {
    std::vector<std::vector<double>> columns;
    for (size_t i = 0; i < name_count; ++i) columns.emplace_back(values + i * length, values + (i + 1) * length);
    idle(run).sweep.add_axis({names, names + name_count}, std::move(columns));
  });
}
bm_status bm_run_set_column(bm_run* run, const char* name, const double* values, size_t count) {
  return guarded([&] { idle(run).sweep.set_column(name, {values, values + count}); });
}
size_t bm_run_points(const bm_run* run) { return run->sweep.points(); }
const double* bm_run_column(const bm_run* run, const char* name) {
  const std::vector<std::string>& names = run->sweep.names();
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : run->sweep.values()[static_cast<size_t>(found - names.begin())].data();
}
size_t bm_option_count(void) { return run_options().size(); }
const char* bm_option_property(size_t index, const char* key) {
  if (index >= run_options().size()) return nullptr;
  const RunOption& option = run_options()[index];
  const std::string_view asked = key;
  if (asked == "name") return option.name;
  if (asked == "type") return option.type();
  const std::pair<std::string_view, bool> flags[] = {
      {"field", option.in_scripts}, {"per_point", option.per_point}, {"words", option.set_word != nullptr}};
  for (const auto& [flag, is_set] : flags)
    if (asked == flag && is_set) return "yes";
  return nullptr;
}
bm_status bm_run_set_number(bm_run* run, const char* option, double value) {
  return guarded([&] { set_number(idle(run).options, option, value); });
}
bm_status bm_run_set_text(bm_run* run, const char* option, const char* value) {
  return guarded([&] { set_text(idle(run).options, option, value); });
}
bm_status bm_run_set_start(bm_run* run, const char* variable, double centre, double width, double deviation,
                           double count) {
  return guarded([&] {
    const std::string name = variable;
    for (const double number : {centre, width, deviation})
      if (!std::isfinite(number)) fail("initial: {} must be finite, got {}", name, number);
    if (width < 0) fail("initial: {} must have a width >= 0, got {}", name, width);
    if (deviation < 0) fail("initial: {} must have a standard deviation >= 0, got {}", name, deviation);
    constexpr double most = 1e7;
    if (!(count >= 0 && count == std::floor(count)))
      fail("initial: {} must have a count that is a whole number >= 1, got {}", name, count);
    if (count > most) fail("initial: {} must have a count of at most {:g}, got {:g}", name, most, count);
    RunOptions& options = idle(run).options;
    options.starts[name] = {centre, width, deviation, static_cast<uint32_t>(count)};
    options.uniform_starts.erase(name);
  });
}
bm_status bm_run_set_uniform_start(bm_run* run, const char* variable) {
  return guarded([&] {
    RunOptions& options = idle(run).options;
    options.uniform_starts.insert(variable);
    options.starts.erase(variable);
  });
}
size_t bm_observable_count(void) { return observable_kinds().size(); }
const char* bm_observable_property(size_t index, const char* key) {
  if (index >= observable_kinds().size()) return nullptr;
  const ObservableKind& kind = *observable_kinds()[index];
  const std::string_view asked = key;
  return asked == "name" ? kind.name : asked == "summary" ? kind.summary : asked == "options" ? kind.options : nullptr;
}
bm_status bm_run_observe(bm_run* run, const char* observable, size_t options, const char* const* names,
                         const double* const* values, const size_t* counts, const char* const* words) {
  return guarded([&] {
    auto& asked = idle(run).options.observables;
    std::map<std::string, std::vector<double>> numbers;
    std::map<std::string, std::string> texts;
    for (size_t i = 0; i < options; ++i)
      if (words[i] != nullptr)
        texts[names[i]] = words[i];
      else
        numbers[names[i]].assign(values[i], values[i] + counts[i]);
    const auto has_name = [](const ObservableRequest& request) { return request.words.contains("name"); };
    const ObservableRequest added(observable, std::move(numbers), std::move(texts));
    for (const auto& other : asked)
      if (other.name == observable && !run->model.is_system() && !has_name(added) && !has_name(other))
        fail("observe: '{}' is asked for twice", observable);
    asked.push_back(added);
    std::vector<ObservedVariable> variables = observed_variables(run->model);
    for (const ObservableRequest& request : of_each_variable(asked.back(), variables, definition_names(run->model)))
      make_observable(request, variables);
  });
}

bm_status bm_run_target(bm_run* run, const char* column, double relative, double absolute) {
  return guarded([&] { idle(run).options.targets.push_back(error_wanted("target", column, relative, absolute)); });
}
bm_status bm_run_tolerance(bm_run* run, const char* column, double relative, double absolute) {
  return guarded(
      [&] { idle(run).options.tolerances.push_back(error_wanted("tolerance", column, relative, absolute)); });
}

bm_status bm_run_start(bm_run* run) {
  return guarded([&] {
    bm_run& idle_run = idle(run);  // throws before there is a thread
    idle_run.task =
        std::make_unique<Task>([&idle_run, before = idle_run.session->interrupts()](const Task::Tell& tell) {
          return guarded_pointer([&] { return execute(idle_run, before, tell).release(); });
        });
  });
}

int bm_run_poll(bm_run* run, double seconds, const bm_progress** progress) {
  if (!run->task) return 1;
  const bool done = run->task->wait(seconds);
  run->progress = run->task->progress();
  if (progress != nullptr) *progress = &run->progress;
  return done ? 1 : 0;
}

void bm_run_cancel(bm_run* run) { run->cancelled.store(true); }

bm_result* bm_run_finish(bm_run* run) {
  if (!run->task) {
    set_failure("run: it was not started: see bm_run_start", BM_ERROR);
    return nullptr;
  }
  bm_result* result = run->task->take();
  run->task.reset();
  return result;
}

}  // extern "C"
