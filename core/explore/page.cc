#include "page.h"

#include <array>
#include <cstdio>
#include <sstream>

namespace bmsim::explore {
namespace {

constexpr int most_tabs = 24;

/// A text as a JSON string.
std::string json_text(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    std::array<char, 8> code{};
    if (c == '"' || c == '\\')
      made += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < ' ') {
      std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
      made += code.data();
    } else
      made += c;
  }
  return made + "\"";
}

}  // namespace

// With the lock held.
void Page::put(const std::string& kind, const std::string& json) {
  events_[kind] = {++last_, "event: " + kind + "\ndata: " + json + "\n\n"};
  changed_.notify_all();
}

void Page::hear(Frame frame) {
  const std::lock_guard lock(mutex_);
  if (frame.kind == "file" || frame.kind == "nofile") {
    const auto found = waiting_.find(frame.id);
    if (found == waiting_.end()) return;
    Taken taken;
    if (frame.kind == "file") {
      std::istringstream words(frame.words);
      words >> taken.type >> taken.name;
      taken.bytes = std::move(frame.bytes);
    } else {
      taken.failure = frame.bytes;
    }
    found->second.set_value(std::move(taken));
    waiting_.erase(found);
  } else if (frame.kind == "failure") {
    put("failure", "{\"failure\":" + json_text(frame.bytes) + "}");
  } else if (frame.kind == "motion") {
    put("motion", frame.bytes);
  } else if (frame.kind == "state") {
    events_.erase("failure");
    put("state", frame.bytes);
    put("status", "{\"running\":false}");
  } else if (frame.kind == "status") {
    events_.erase("failure");
    put("status", frame.bytes);
  }
}

void Page::fail(const std::string& why) {
  const std::lock_guard lock(mutex_);
  put("failure", "{\"failure\":" + json_text(why) + "}");
  refuse_waiting(why);
}

// With the lock held.
void Page::refuse_waiting(const std::string& why) {
  for (auto& [id, promise] : waiting_) promise.set_value({"", "", "", why});
  waiting_.clear();
}

uint64_t Page::set(const std::string& query) {
  const std::lock_guard lock(mutex_);
  query_ = query;
  return ++version_;
}

std::string Page::line() {
  const std::lock_guard lock(mutex_);
  return "set " + std::to_string(version_) + " " + query_;
}

std::string Page::news(uint64_t& seen) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::seconds(1), [&] { return ended_ || last_ > seen; });
  std::map<uint64_t, std::string> sorted;
  for (const auto& [kind, event] : events_)
    if (event.number > seen) sorted[event.number] = event.text;
  std::string all;
  for (const auto& [number, text] : sorted) all += text;
  seen = last_;
  return all;
}

uint64_t Page::ask(std::future<Taken>& answer) {
  const std::lock_guard lock(mutex_);
  answer = waiting_[++requests_].get_future();
  if (ended_) refuse_waiting("bmsim explore has ended");
  return requests_;
}
void Page::forget(uint64_t request) {
  const std::lock_guard lock(mutex_);
  waiting_.erase(request);
}

bool Page::open() {
  const std::lock_guard lock(mutex_);
  if (tabs_ >= most_tabs) return false;
  ++tabs_;
  heard_ = Clock::now();
  return true;
}
void Page::close() {
  const std::lock_guard lock(mutex_);
  if (--tabs_ == 0) left_ = Clock::now();
}
void Page::heard() {
  const std::lock_guard lock(mutex_);
  heard_ = Clock::now();
}
std::optional<double> Page::alone() {
  constexpr double silence = std::chrono::duration<double>(3 * between_beats).count();
  const std::lock_guard lock(mutex_);
  const auto since = [](Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); };
  if (tabs_ == 0) return since(left_);
  const double unheard = since(heard_);
  return unheard > silence ? std::optional(unheard) : std::nullopt;
}
void Page::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  refuse_waiting("bmsim explore has ended");
  changed_.notify_all();
}
bool Page::has_ended() {
  const std::lock_guard lock(mutex_);
  return ended_;
}

}  // namespace bmsim::explore
