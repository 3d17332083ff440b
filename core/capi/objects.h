// What the handles of bmsim.h point to, and the barrier that no exception passes.
#pragma once
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "bmsim/bmsim.h"
#include "engine/plan.h"
#include "error.h"
#include "output/labels.h"
#include "output/table.h"

struct bm_model {
  bmsim::Model model;
};

struct bm_run {
  bmsim::Model model;
  bmsim::Sweep sweep;
  bmsim::RunOptions options;
  std::string output, script;
  bool overwrite = false;
  std::string plan_text;
};

struct bm_result {
  bmsim::Table table;
  bmsim::Info info;
  bmsim::Sweep sweep;
  std::string script;
  std::vector<bmsim::Array> arrays;
  /// Parameters that are in no column, evaluated on demand.
  bmsim::Plan plan;
  std::map<std::string, std::vector<double>, std::less<>> evaluated;
  std::map<std::string, bmsim::Label, std::less<>> labels;
  bool dry = false;
  bool overwrite = false;  ///< files that exist are replaced
};

namespace bmsim {

void set_failure(const char* message, bm_status status) noexcept;

constexpr const char* out_of_memory =
    "out of memory on this computer; lower paths, or what is recorded (times, bins, points of the sweep); --dry-run says "
    "what a run takes";

/// Runs f; what it throws becomes bm_error() and the status.
template <class F> bm_status guarded(F f) noexcept {
  try {
    f();
    return BM_OK;
  } catch (const Error& error) {
    set_failure(error.what(), error.status());
    return error.status();
  } catch (const std::bad_alloc&) {
    set_failure(out_of_memory, BM_ERROR);
  } catch (const std::length_error&) {
    set_failure(out_of_memory, BM_ERROR);
  } catch (const std::exception& error) {
    set_failure(error.what(), BM_ERROR);
  }
  return BM_ERROR;
}

/// f's pointer; null if it throws.
template <class F> auto guarded_pointer(F f) noexcept -> decltype(f()) {
  decltype(f()) pointer = nullptr;
  guarded([&] { pointer = f(); });
  return pointer;
}

/// Where a file goes that a script names: there, unless bm_redirect says otherwise.
std::string place_of(const std::string& file);
/// Throws Error if the file cannot be written, or exists and is not to be replaced.
void check_output_file(const std::string& file, bool overwrite);
/// By suffix; replaces a file that exists.
void write_result(const bm_result& result, const std::string& file);

/// What the command line fixes, by option.
std::map<std::string, std::string, std::less<>>& overrides();
/// The run's options after the command line's.
RunOptions overridden(const RunOptions& options);
/// --overwrite.
bool overwrites();
/// --strict: a warning is an error.
bool strict();

}  // namespace bmsim
