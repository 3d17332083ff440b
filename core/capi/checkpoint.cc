// What a directory of checkpoints holds, and the cache of compiled kernels.
#include <algorithm>
#include <array>
#include <ctime>

#include "backend/cache.h"
#include "backend/memory.h"
#include "capi/objects.h"
#include "printable.h"

using namespace bmsim;

namespace {

/// A value on one line.
std::string shown_value(std::string value) {
  while (value.ends_with('\n')) value.pop_back();
  std::ranges::replace(value, '\n', ' ');
  return value.empty() ? "none" : printable(value);
}

/// "2026-11-24 22:15:00", local time.
std::string time_text(int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm local{};
  localtime_r(&time, &local);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%F %T", &local);
  return text.data();
}

std::string checkpoint_text(const JournalFacts& facts) {
  std::string text;
  for (const auto& [name, value] : facts.identities) {
    const auto lines = std::ranges::count(value, '\n');
    text += fmt::format("{:<13} {}\n", printable(name),
                        name == "script" ? fmt::format("{} lines", lines) : shown_value(value));
  }
  size_t number = 0;
  for (const JournalFacts::Ensemble& ensemble : facts.ensembles) {
    text += fmt::format("{:<13} {} of {} shares done", fmt::format("ensemble {}", ++number), ensemble.done,
                        ensemble.shares);
    if (ensemble.pieces > 0) text += fmt::format(", pieces of {}", ensemble.pieces);
    if (ensemble.done < ensemble.shares && ensemble.seconds_left >= 0)
      text += fmt::format(", {} left at {}", duration_text(ensemble.seconds_left), time_text(ensemble.said));
    text += "\n";
  }
  text += fmt::format("{:<13} {}, {}", "journals", facts.files, size_text(static_cast<double>(facts.bytes)));
  if (facts.states > 0)
    text += fmt::format(", with {} of unfinished work",
                        facts.states == 1 ? "one state" : fmt::format("{} states", facts.states));
  if (facts.damaged > 0) text += fmt::format("; damaged places: {}", facts.damaged);
  return text + "\n";
}

}  // namespace

extern "C" {

const char* bm_checkpoint_show(const char* directory) {
  return guarded_text([&] { return checkpoint_text(journal_facts(directory)); });
}

const char* bm_cache_show() {
  return guarded_text([&] { return KernelCache::instance().show(); });
}

const char* bm_cache_clear() {
  return guarded_text([&] { return KernelCache::instance().clear(); });
}

}  // extern "C"
