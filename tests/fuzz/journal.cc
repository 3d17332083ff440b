// Journals of checkpoints. Records of any keys and texts are written and then damaged: what is read is what was
// written, and nothing of it is missing but behind a damage. Or a file is any bytes.
#include "journal/journal.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "error.h"
#include "fuzz.h"

namespace bmsim::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 8> keys = {"a", "b-piece", "begun", "pace", "a-1", "a-piece", "", "identity"};

struct Record {
  std::string key, payload;
  size_t end;  ///< of the file, when it was written
};

std::vector<Record> write(const fs::path& place, const fs::path& file, Bytes& bytes) {
  std::vector<Record> all;
  Journal journal(place, {});
  for (unsigned count = bytes.below(8); count > 0; --count) {
    const std::string key = bytes.one_of(keys), payload(bytes.text(bytes.below(60)));
    journal.put(key, payload);
    all.push_back({key, payload, fs::file_size(file)});
  }
  if (bytes.below(4) == 0) journal.put(std::string(Journal::begun), fmt::format("{} {}", bytes.text(4), bytes.word()));
  if (bytes.below(4) == 0) journal.note_left(std::string(bytes.text(4)), static_cast<double>(bytes.word()));
  return all;
}

/// Returns the first place that is damaged.
size_t damage(const fs::path& file, Bytes& bytes) {
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  size_t first = text.size();
  for (unsigned count = bytes.below(4); count > 0 && !text.empty(); --count) {
    const size_t at = (bytes.byte() * 256 + bytes.byte()) % text.size();
    first = std::min(first, at);
    switch (bytes.below(4)) {
      case 0:
        text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1 + bytes.below(255)));
        break;
      case 1:
        text.resize(at);
        break;
      case 2:
        text.insert(at, bytes.text(bytes.below(40)));
        break;
      default:
        text.erase(at, bytes.byte());
    }
  }
  write_file(file, text);
  return first;
}

void check_records(Journal& journal, const std::vector<Record>& all, size_t first_damage) {
  for (const char* key : keys) {
    if (std::string_view(key) == "identity") continue;  // these have an order and a use of their own
    std::vector<std::string> found = journal.find(key);
    for (const Record& one : all) {
      if (one.key != key) continue;
      const auto place = std::ranges::find(found, one.payload);
      if (place != found.end())
        found.erase(place);
      else if (one.end <= first_damage)
        finding(fmt::format("a record under '{}' of {} bytes is lost", key, one.payload.size()));
    }
    const bool notes = std::string_view(key) == "begun" || std::string_view(key) == "pace";
    if (!found.empty() && !notes) finding(fmt::format("a record under '{}' that nobody wrote", key));
  }
}

void read_facts(const fs::path& place, std::string_view input) {
  try {
    journal_facts(place);
  } catch (const Error& error) {
    check_message(error.what(), input);
  }
}

}  // namespace

void journal(std::string_view input) {
  Bytes bytes(input);
  const fs::path place = fs::path(directory()) / "journal", file = place / "part-1-of-1.journal";
  fs::remove_all(place);
  try {
    if (bytes.byte() % 4 == 0) {
      fs::create_directory(place);
      write_file(file, bytes.rest());
      write_file(place / "part-2-of-3.journal", bytes.rest().substr(bytes.rest().size() / 2));
      write_file(place / "part-1-of-1.name.state", bytes.rest());
      Journal any(place, {});
      any.put("new", "record");
      for (const std::string& name : any.states()) any.state(name);
      read_facts(place, input);
      return;
    }
    const std::vector<Record> all = write(place, file, bytes);
    const size_t first = damage(file, bytes);
    read_facts(place, input);
    {
      Journal again(place, {});
      check_records(again, all, first);
      again.put("new", input);
    }
    Journal again(place, {});
    check_records(again, all, first);
    if (again.find("new") != std::vector<std::string>{std::string(input)}) finding("a new record is lost");
  } catch (const Error& error) {
    check_message(error.what(), input);
  }
}

}  // namespace bmsim::fuzz
