// bm_run_*: the options of a run.
#include <algorithm>
#include <climits>
#include <cmath>

#include "capi/objects.h"

using namespace bmsim;

namespace {

/// A number that must be whole: counts and seeds come as double from scripts.
uint64_t whole(std::string_view option, double value, double least) {
  constexpr double most = 9007199254740991;  // 2^53 - 1: the double 2^53 also stands for 2^53 + 1
  if (!(value >= least && value == std::floor(value)))
    fail("run: {} must be a whole number >= {}, got {}", option, least, value);
  if (value > most) fail("run: {} must be at most {:.0f}, got {}", option, most, value);
  return static_cast<uint64_t>(value);
}

bool yes_or_no(std::string_view option, double value) {
  if (value != 0 && value != 1) fail("run: {} must be 0 or 1, got {}", option, value);
  return value == 1;
}

void set_number(RunOptions& options, std::string_view option, double value) {
  if (option == "paths")
    options.paths = whole(option, value, 1);
  else if (option == "replicas")
    options.replicas = whole(option, value, 1);
  else if (option == "seed")
    options.seed = whole(option, value, 0);
  else if (option == "chunk")
    options.chunk = whole(option, value, 0);
  else if (option == "memory")
    options.memory = whole(option, value, 0);
  else if (option == "threads")
    options.threads = static_cast<unsigned>(std::min<uint64_t>(whole(option, value, 0), UINT_MAX));
  else if (option == "kernel_paths")
    options.kernel_paths = whole(option, value, 0);
  else if (option == "limit")
    options.limit = whole(option, value, 1);
  else if (option == "transient")
    options.transient = value;
  else if (option == "periods")
    options.periods = value;
  else if (option == "time")
    options.time = value;
  else if (option == "spp")
    options.spp = value;
  else if (option == "dt")
    options.dt = value;
  else if (option == "local_error")
    options.local_error = value;
  else
    fail("run: unknown number '{}'", option);
}

bool phase_is_random(std::string_view word) {
  if (word != "fixed" && word != "uniform") fail("initial: phase must be fixed or uniform, got '{}'", word);
  return word == "uniform";
}

[[noreturn]] bool fail_transient(const char* word) {
  fail("run: transient must be a fraction of the run or 'auto', got '{}'", word);
}

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
  const auto is_time = [](std::string_view name) {
    return name == "dt" || name == "spp" || name == "time" || name == "periods";
  };
  for (size_t i = 0; i < sweep.names().size(); ++i)
    if (!is_time(sweep.names()[i])) model.set(sweep.names()[i], sweep.values()[i][point]);
  return evaluate(model);
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
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? nullptr : run->sweep.values()[static_cast<size_t>(at - names.begin())].data();
}
bm_status bm_run_set_number(bm_run* run, const char* option, double value) {
  return guarded([&] {
    RunOptions& options = idle(run).options;
    if (std::isnan(value)) value = std::abs(value);  // messages say nan, not -nan
    if (std::string_view(option) == "overwrite")
      run->overwrite = yes_or_no(option, value);
    else if (std::string_view(option) == "step_error")
      options.step_error = yes_or_no(option, value);
    else if (std::string_view(option) == "check_step")
      options.check_step = yes_or_no(option, value);
    else if (std::string_view(option) == "check_transient")
      options.check_transient = yes_or_no(option, value);
    else
      set_number(options, option, value);
  });
}
bm_status bm_run_set_text(bm_run* run, const char* option, const char* value) {
  return guarded([&] {
    const std::string_view name = option;
    RunOptions& options = idle(run).options;
    if (name == "method")
      options.method = value;
    else if (name == "precision")
      options.precision = value;
    else if (name == "increments")
      options.increments = value;
    else if (name == "device")
      options.device = value;
    else if (name == "transient")
      options.find_transient = std::string_view(value) == "auto" || fail_transient(value);
    else if (name == "phase")
      options.random_phases = phase_is_random(value);
    else if (name == "output")
      run->output = *value != '\0' ? value : throw Error("output: must be a file's name, got ''");
    else if (name == "script")
      run->script = value;
    else
      fail("run: unknown text '{}'", name);
  });
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
    const auto has_name = [](const ObservableRequest& one) { return one.words.contains("name"); };
    const ObservableRequest added(observable, std::move(numbers), std::move(texts));
    for (const auto& other : asked)
      if (other.name == observable && !run->model.is_system() && !has_name(added) && !has_name(other))
        fail("observe: '{}' is asked for twice", observable);
    asked.push_back(added);
    std::vector<ObservedVariable> variables = observed_variables(run->model);
    for (const ObservableRequest& one : of_each_variable(asked.back(), variables, definition_names(run->model)))
      make_observable(one, variables);
  });
}

bm_status bm_run_target(bm_run* run, const char* column, double relative, double absolute) {
  return guarded([&] { idle(run).options.targets.push_back(error_wanted("target", column, relative, absolute)); });
}
bm_status bm_run_tolerance(bm_run* run, const char* column, double relative, double absolute) {
  return guarded(
      [&] { idle(run).options.tolerances.push_back(error_wanted("tolerance", column, relative, absolute)); });
}

}  // extern "C"
