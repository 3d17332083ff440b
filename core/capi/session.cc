// bm_session_*: settings of a front end for its runs.
#include "capi/session.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <sstream>

#include "backend/backend.h"
#include "capi/objects.h"
#include "nearest_name.h"
#include "printable.h"
#include "world/world.h"

namespace bmsim {

namespace {

template <class Number> std::string range_of() {
  if constexpr (std::is_integral_v<Number>)
    return fmt::format("whole number in [0, {}]", std::numeric_limits<Number>::max());
  return "number >= 0";
}

template <class Number> Number parse(std::string_view option, const std::string& value) {
  Number number{};
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (code != std::errc() || end != value.data() + value.size() || !(number >= Number{}))
    throw Error(fmt::format("--{}: must be a {}, got '{}'", option, range_of<Number>(), value), BM_USAGE_ERROR);
  return number;
}

/// A recorded command line, without options that do not change results, as one line for messages.
std::string without_devices(const std::string& yaml) {
  std::string kept;
  std::istringstream lines(yaml);
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == line.npos || line.starts_with("device:") || line.starts_with("threads:")) continue;
    kept += (kept.empty() ? "" : begin > 0 ? " " : ", ") + line.substr(begin);
  }
  return kept;
}

}  // namespace

void Session::set(std::string_view option, const std::string& value) {
  const std::vector<std::string> known = {
      "device",     "precision",        "seed", "threads",           "keep_source", "overwrite", "strict",
      "checkpoint", "checkpoint_every", "part", "finish_compilation"};
  if (std::ranges::count(known, option) == 0)
    throw Error(fmt::format("unknown option '{}'{}", option, suggestion(option, known)), BM_USAGE_ERROR);
  const std::lock_guard lock(mutex_);
  if (option == "finish_compilation") *finish_compilation_ = !value.empty();
  if (value.empty()) {
    if (const auto found = options_.find(option); found != options_.end()) options_.erase(found);
    return;
  }
  if (option == "seed") parse<uint64_t>(option, value);
  if (option == "device") check_device_names(value);
  if (option == "threads") parse<unsigned>(option, value);
  if (option == "part") journal_part(value);
  if (option == "checkpoint_every") parse<double>("checkpoint-every", value);
  options_[std::string(option)] = value;
}

std::map<std::string, std::string, std::less<>> Session::settings() const {
  const std::lock_guard lock(mutex_);
  return options_;
}

RunOptions Session::overridden(const RunOptions& options) const {
  const std::lock_guard lock(mutex_);
  RunOptions result = options;
  for (const auto& [option, value] : options_) {
    if (option == "device") result.device = value;
    if (option == "precision") result.precision = value;
    if (option == "seed") result.seed = parse<uint64_t>(option, value);
    if (option == "threads") result.threads = parse<unsigned>(option, value);
    if (option == "keep_source") result.keep_source = value;
    if (option == "finish_compilation") result.finish_compilation = finish_compilation_;
  }
  return result;
}

bool Session::has(std::string_view option) const {
  const std::lock_guard lock(mutex_);
  return options_.find(option) != options_.end();
}
bool Session::strict() const { return has("strict"); }

// The journal is opened with the first run. It belongs to what the process was given: version, script, command line.
Journal* Session::journal() {
  std::unique_lock lock(mutex_);
  const auto directory = options_.find("checkpoint"), part = options_.find("part"),
             interval = options_.find("checkpoint_every");
  if (directory == options_.end()) {
    if (part != options_.end()) throw Error("--part needs --checkpoint DIR, which keeps the parts", BM_USAGE_ERROR);
    if (interval != options_.end()) throw Error("--checkpoint-every needs --checkpoint DIR", BM_USAGE_ERROR);
    return nullptr;
  }
  if (journal_) return journal_.get();
  constexpr double default_interval = 600;
  JournalPart own_part = part == options_.end() ? JournalPart() : journal_part(part->second);
  own_part.rank = World::instance().rank(), own_part.ranks = World::instance().size();
  auto journal = std::make_unique<Journal>(
      directory->second, own_part,
      interval == options_.end() ? default_interval : parse<double>("checkpoint-every", interval->second));
  journal->identify("version", bm_version());
  const auto text = records_.find("script_text"), line = records_.find("command_line");
  if (text != records_.end()) journal->identify("script", text->second);
  if (line != records_.end()) journal->identify("command line", without_devices(line->second));
  journal_ = std::move(journal);
  lock.unlock();
  if (!journal_->unwritten().empty() && journal_->fails_first())
    warn(fmt::format("{}; the run goes on, and tries again later", journal_->unwritten()));
  if (const size_t damaged = journal_->damaged(); damaged > 0)
    warn(fmt::format("checkpoint: {} damaged place{} in '{}' {} skipped; what was there is computed again", damaged,
                     damaged == 1 ? "" : "s", journal_->directory().string(), damaged == 1 ? "is" : "are"));
  return journal_.get();
}

void Session::on_progress(bm_progress_callback report, void* user) {
  const std::lock_guard lock(mutex_);
  progress_ = {report, user};
}
void Session::on_warning(bm_warning_callback report, void* user) {
  const std::lock_guard lock(mutex_);
  warning_ = {report, user};
}
void Session::on_notice(bm_warning_callback report, void* user) {
  const std::lock_guard lock(mutex_);
  notice_ = {report, user};
}

bool Session::hears_notices() const {
  const std::lock_guard lock(mutex_);
  return notice_.report != nullptr;
}
bool Session::hears_progress() const {
  const std::lock_guard lock(mutex_);
  return progress_.report != nullptr;
}

void Session::tell(const bm_progress& progress) const {
  std::unique_lock lock(mutex_);
  const auto [report, user] = progress_;
  lock.unlock();
  if (report != nullptr) report(user, &progress);
}
void Session::say(const Listener<bm_warning_callback>& listener, const std::string& text) const {
  std::unique_lock lock(mutex_);
  const auto [report, user] = listener;
  lock.unlock();
  if (report != nullptr) report(user, printable_lines(text).c_str());
}
void Session::warn(const std::string& warning) const { say(warning_, warning); }
void Session::notify(const std::string& notice) const { say(notice_, notice); }

void Session::record(const std::string& name, const std::string& text) {
  const std::lock_guard lock(mutex_);
  records_[name] = text;
}
std::map<std::string, std::string, std::less<>> Session::records() const {
  const std::lock_guard lock(mutex_);
  return records_;
}

void Session::redirect(const std::string& directory) {
  const std::lock_guard lock(mutex_);
  redirection_ = directory;
}
bool Session::redirects() const {
  const std::lock_guard lock(mutex_);
  return !redirection_.empty();
}
std::string Session::place_of(const std::string& file) const {
  const std::lock_guard lock(mutex_);
  if (redirection_.empty()) return file;
  std::string flat;
  for (const char c : file) flat += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
  if (is_stream(file) && !has_known_suffix(file)) flat += ".csv";
  return (std::filesystem::path(redirection_) / flat).string();
}

// Redirected files belong to this process, which may replace them.
Existing Session::existing(bool overwrite) const {
  return overwrite || has("overwrite") || redirects() ? Existing::replace : Existing::refuse;
}
void Session::check_output_file(const std::string& file, bool overwrite) const {
  check_output(place_of(file));
  if (existing(overwrite) == Existing::refuse) check_absent(file, "overwrite = true in bm.run, or --overwrite,");
}

std::shared_ptr<Session> session_of(const bm_session* handle) {
  return handle != nullptr ? handle->shared : std::make_shared<Session>();
}

}  // namespace bmsim

using namespace bmsim;

extern "C" {

bm_session* bm_session_new() {
  return guarded_pointer([] { return new bm_session{std::make_shared<Session>()}; });
}
void bm_session_free(bm_session* session) { delete session; }
bm_status bm_session_set(bm_session* session, const char* option, const char* value) {
  return guarded([&] { session->shared->set(option, value); });
}
void bm_session_on_progress(bm_session* session, bm_progress_callback report, void* user) {
  session->shared->on_progress(report, user);
}
void bm_session_on_warning(bm_session* session, bm_warning_callback report, void* user) {
  session->shared->on_warning(report, user);
}
void bm_session_on_notice(bm_session* session, bm_warning_callback report, void* user) {
  session->shared->on_notice(report, user);
}
int bm_session_interrupt(bm_session* session) { return session->shared->interrupt() ? 1 : 0; }
bm_status bm_session_record(bm_session* session, const char* name, const char* text) {
  return guarded([&] { session->shared->record(name, text); });
}
bm_status bm_session_redirect(bm_session* session, const char* directory) {
  return guarded([&] { session->shared->redirect(directory); });
}
const char* bm_session_place(const bm_session* session, const char* file) {
  return guarded_text([&] { return session_of(session)->place_of(file); });
}

}  // extern "C"
