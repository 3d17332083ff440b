#include "journal/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "error.h"
#include "files/new_file.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

// A record: marker, length of the key, length of the payload, key, payload, checksum of all before it.
constexpr uint64_t marker = 0x314a4d53'49534d42;  // differs from zeros, and from doubles that occur
constexpr size_t head_bytes = 3 * sizeof(uint64_t), tail_bytes = sizeof(uint64_t);
constexpr uint64_t most_key = 256;

/// FNV-1a on words. Any single changed bit changes it, since every step is a bijection.
uint64_t checksum(std::string_view bytes) {
  constexpr uint64_t prime = 0x100000001b3;
  uint64_t hash = 0xcbf29ce484222325;
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= bytes.size(); i += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, sizeof word);
    hash = (hash ^ word) * prime;
    hash ^= hash >> 32;
  }
  for (; i < bytes.size(); ++i) hash = (hash ^ static_cast<unsigned char>(bytes[i])) * prime;
  return hash;
}

void add_word(std::string& text, uint64_t word) { text.append(reinterpret_cast<const char*>(&word), sizeof word); }
uint64_t word_at(std::string_view text, size_t at) {
  uint64_t word = 0;
  std::memcpy(&word, text.data() + at, sizeof word);
  return word;
}

std::string file_failure(const fs::path& path, const char* action) {
  const int error = errno;
  std::string text = fmt::format("checkpoint: cannot {} '{}': {}", action, path.string(), std::strerror(error));
  errno = error;
  return text;
}
[[noreturn]] void fail_file(const fs::path& path, const char* action) { throw Error(file_failure(path, action)); }

/// Whether an error says that the name is wrong, not that the disk is full or the place closed for now.
bool is_mistake(int error) {
  return error == ENOTDIR || error == EEXIST || error == EISDIR || error == ELOOP || error == ENAMETOOLONG ||
         error == EINVAL;
}

/// Opens a regular file. Anything else of that name, a FIFO for instance, might block who opens it, and gives EINVAL.
int open_journal(const fs::path& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0644);
  struct stat status {};
  if (descriptor < 0 || (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))) return descriptor;
  close(descriptor);
  errno = EINVAL;
  return -1;
}

/// Takes the lock of an open file as soon as it is free. Returns false, with errno, if that is not in time.
bool lock_within(std::chrono::milliseconds patience, int descriptor) {
  constexpr std::chrono::milliseconds pause{10};
  for (; flock(descriptor, LOCK_EX | LOCK_NB) != 0; patience -= pause) {
    if ((errno != EWOULDBLOCK && errno != EINTR) || patience <= pause) return false;
    std::this_thread::sleep_for(pause);
  }
  return true;
}

/// The bytes of a file from `offset` on, fewer than `length` at its end.
std::string read_at(int descriptor, const fs::path& path, uint64_t offset, uint64_t length) {
  std::string bytes(length, '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = pread(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_file(path, "read");
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

void write_at(int descriptor, const fs::path& path, uint64_t offset, std::string_view bytes) {
  errno = write_all(descriptor, bytes, static_cast<off_t>(offset));
  if (errno != 0) fail_file(path, "write");
}

std::string name_of(const JournalPart& part, unsigned rank) {
  return fmt::format("part-{}-of-{}{}", part.number, part.of, rank > 0 ? fmt::format("-rank-{}", rank) : "");
}
std::string name_of(const JournalPart& part) { return name_of(part, part.rank); }

/// The rank that a file of this part belongs to; nothing for files of other parts.
std::optional<unsigned> rank_of(const JournalPart& part, std::string_view file) {
  const std::string of_rank_0 = name_of(part, 0), of_others = of_rank_0 + "-rank-";
  if (file.starts_with(of_rank_0 + ".")) return 0;
  if (!file.starts_with(of_others)) return {};
  unsigned rank = 0;
  const auto [end, code] = std::from_chars(file.data() + of_others.size(), file.data() + file.size(), rank);
  return code == std::errc() && end != file.data() + file.size() && *end == '.' ? std::optional(rank) : std::nullopt;
}

uint64_t size_of(int descriptor, const fs::path& path) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) fail_file(path, "read");
  return static_cast<uint64_t>(status.st_size);
}

}  // namespace

JournalPart journal_part(std::string_view text) {
  JournalPart part;
  const size_t slash = text.find('/');
  const auto number = [&](std::string_view digits, unsigned& value) {
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return code == std::errc() && end == digits.data() + digits.size();
  };
  if (slash == std::string_view::npos || !number(text.substr(0, slash), part.number) ||
      !number(text.substr(slash + 1), part.of) || part.number < 1 || part.number > part.of)
    throw Error(fmt::format("--part: must be K/N with 1 <= K <= N, as in 3/16, got '{}'", text), BM_USAGE_ERROR);
  return part;
}

Journal::Journal(fs::path directory, JournalPart part, double every)
    : directory_(std::move(directory)), part_(part), every_(every) {
  files_.push_back({directory_ / (name_of(part) + std::string(suffix)), -1, 0});
  // A process that was killed a moment ago may still have the lock.
  constexpr std::chrono::seconds patience{1};
  unwritten_ = open_own(patience);
  if (!unwritten_.empty() && part_.of > 1) throw Error(unwritten_);
  if (part_.rank == 0) refresh();
}

Journal::~Journal() {
  for (const File& file : files_)
    if (file.descriptor >= 0) close(file.descriptor);
}

// Makes the directory, opens and locks the file of this process, and removes what a crash has left half written.
// Returns "" if that is done, else why it cannot be done now. Throws Error if it never can: another process has the
// file, or this is no place for a journal.
std::string Journal::open_own(std::chrono::milliseconds patience) {
  std::error_code error;
  fs::create_directories(directory_, error);
  File& own = files_[0];
  if (error) {
    const std::string why =
        fmt::format("checkpoint: cannot make the directory '{}': {}", directory_.string(), error.message());
    if (is_mistake(error.value())) throw Error(why);
    return why;
  }
  const int descriptor = open_journal(own.path, O_RDWR | O_CREAT | O_NOFOLLOW);
  if (descriptor < 0) {
    const std::string why = file_failure(own.path, "open");
    if (is_mistake(errno)) throw Error(why);
    if (own.descriptor < 0) own.descriptor = open_journal(own.path, O_RDONLY | O_NOFOLLOW);
    if (own.descriptor >= 0) scan(0);
    return why;
  }
  if (own.descriptor >= 0) close(own.descriptor);
  own.descriptor = descriptor;
  if (!lock_within(patience, descriptor)) {
    const std::string why = file_failure(own.path, "lock");
    const bool busy = errno == EWOULDBLOCK;
    close(std::exchange(own.descriptor, -1));
    if (busy) fail("checkpoint: '{}' is in use by another process", own.path.string());
    return why;
  }
  sync_names(directory_);
  remove_abandoned_files(directory_);
  scan(0);
  const uint64_t size = size_of(own.descriptor, own.path);
  if (size > own.read) {
    ++damaged_;
    if (ftruncate(own.descriptor, static_cast<off_t>(own.read)) != 0) return file_failure(own.path, "write");
  }
  writes_ = true;
  return "";
}

// Called with the lock held, before something is written: opens what could not be opened before, and writes what the
// journal is about, if that is not in the file yet. Throws Error.
void Journal::begin_writing() {
  if (!writes_) {
    for (const auto& [name, value] : identities_) unsaid_.insert(name);
    if (const std::string why = open_own({}); !why.empty()) throw Error(why);
    if (!foreign_.empty()) {  // the file has come from elsewhere since this process looked for it
      writes_ = false;
      fail("checkpoint: '{}' was begun with another {}", directory_.string(), foreign_);
    }
  }
  for (; !unsaid_.empty(); unsaid_.erase(unsaid_.begin()))
    append(std::string(identity), *unsaid_.begin() + "\n" + identities_.at(*unsaid_.begin()));
}

void Journal::refresh() {
  const std::lock_guard lock(mutex_);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error)) {
    const fs::path& path = entry.path();
    const auto known =
        std::ranges::find(files_, path.filename(), [](const File& file) { return file.path.filename(); });
    if (path.extension() != suffix || known != files_.end()) continue;
    const int descriptor = open_journal(path, O_RDONLY);
    if (descriptor < 0) fail_file(path, "read");
    files_.push_back({path, descriptor, 0});
  }
  if (error && (writes_ || files_.empty()))
    fail("checkpoint: cannot read the directory '{}': {}", directory_.string(), error.message());
  for (size_t i = 0; i < files_.size(); ++i)
    if (files_[i].descriptor >= 0) scan(i);
}

// Learns the complete records of a file, from where reading stopped before. Where a record is damaged, looks for the
// next marker. What follows the last good record may still be being written.
void Journal::scan(size_t number) {
  File& file = files_[number];
  const uint64_t size = size_of(file.descriptor, file.path);
  if (size <= file.read) return;
  const std::string bytes = read_at(file.descriptor, file.path, file.read, size - file.read);
  const auto length_at = [&](size_t at) -> std::optional<size_t> {  // of the record at this place, if it is good
    if (bytes.size() - at < head_bytes + tail_bytes || word_at(bytes, at) != marker) return {};
    const uint64_t key = word_at(bytes, at + sizeof(uint64_t)), payload = word_at(bytes, at + 2 * sizeof(uint64_t));
    const uint64_t room = bytes.size() - at - head_bytes - tail_bytes;
    if (key > most_key || key > room || payload > room - key) return {};
    const size_t length = head_bytes + key + payload;
    if (checksum(std::string_view(bytes).substr(at, length)) != word_at(bytes, at + length)) return {};
    return length + tail_bytes;
  };
  size_t good = 0;
  bool skipped = false;
  for (size_t at = 0; at + sizeof(uint64_t) <= bytes.size();) {
    const std::optional<size_t> length = length_at(at);
    if (!length) {
      skipped = true;
      ++at;
      const std::string_view mark(reinterpret_cast<const char*>(&marker), sizeof marker);
      at = std::min(bytes.find(mark, at), bytes.size());
      continue;
    }
    if (std::exchange(skipped, false)) ++damaged_;
    const size_t key = word_at(bytes, at + sizeof(uint64_t));
    learn(bytes.substr(at + head_bytes, key),
          {number, file.read + at + head_bytes + key, word_at(bytes, at + 2 * sizeof(uint64_t))});
    at += *length;
    good = at;
  }
  file.read += good;
}

void Journal::learn(const std::string& key, const Place& place) {
  if (key != identity) {
    places_.emplace(key, place);
    return;
  }
  const std::string text = payload(place);
  const size_t end = std::min(text.find('\n'), text.size() - 1);
  const std::string name = text.substr(0, end);
  const auto [known, is_new] = identities_.emplace(name, text.substr(end + 1));
  if (is_new || place.file != 0) return;
  if (known->second == text.substr(end + 1))
    unsaid_.erase(name);
  else
    foreign_ = name;
}

std::string Journal::payload(const Place& place) const {
  const File& file = files_[place.file];
  std::string bytes = read_at(file.descriptor, file.path, place.offset, place.length);
  if (bytes.size() != place.length) fail("checkpoint: '{}' was cut short while it was in use", file.path.string());
  return bytes;
}

void Journal::identify(const std::string& name, const std::string& value) {
  const std::lock_guard lock(mutex_);
  const auto found = identities_.find(name);
  if (found == identities_.end()) {
    identities_.emplace(name, value);
    unsaid_.insert(name);
    try {
      begin_writing();
    } catch (const Error& error) {
      if (part_.of > 1) throw;
      unwritten_ = error.what();
    }
  } else if (found->second != value) {
    const std::string& begun_with = found->second;
    const std::string remedy = "give an empty directory, or remove this one";
    const auto first = std::ranges::mismatch(begun_with, value).in1;
    const auto line = 1 + std::count(begun_with.begin(), first, '\n');
    constexpr size_t longest = 300;
    if (std::ranges::count(begun_with, '\n') > 1)
      fail("checkpoint: '{}' was begun with another {}, which differs in line {}; {}", directory_.string(), name, line,
           remedy);
    if (begun_with.size() + value.size() > longest)
      fail("checkpoint: '{}' was begun with another {}, which differs from character {} on; {}", directory_.string(),
           name, 1 + (first - begun_with.begin()), remedy);
    fail("checkpoint: '{}' was begun with another {}: {}; now it is {}; {}", directory_.string(), name, begun_with,
         value, remedy);
  }
}

std::vector<std::string> Journal::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> payloads;
  const auto [first, last] = places_.equal_range(key);
  for (auto record = first; record != last; ++record) payloads.push_back(payload(record->second));
  return payloads;
}

void Journal::put(const std::string& key, std::string_view payload) {
  const std::lock_guard lock(mutex_);
  begin_writing();
  append(key, payload);
}

void Journal::append(const std::string& key, std::string_view payload) {
  std::string record;
  record.reserve(head_bytes + key.size() + payload.size() + tail_bytes);
  add_word(record, marker);
  add_word(record, key.size());
  add_word(record, payload.size());
  record += key;
  record += payload;
  add_word(record, checksum(record));
  File& own = files_[0];
  write_at(own.descriptor, own.path, own.read, record);  // half a record is overwritten by the next, or cut off
  if (key != identity) places_.emplace(key, Place{0, own.read + head_bytes + key.size(), payload.size()});
  own.read += record.size();
  dirty_ = true;
}

void Journal::sync(bool now) {
  const std::lock_guard lock(mutex_);
  const auto time = std::chrono::steady_clock::now();
  if (!dirty_ || (!now && time - synced_ < std::chrono::seconds(1))) return;
  if (fdatasync(files_[0].descriptor) != 0) fail_file(files_[0].path, "write");
  synced_ = time;
  dirty_ = false;
}

// The files of a state: that of this rank, and those of ranks that no longer exist.
std::vector<fs::path> Journal::state_files(const std::string& name) const {
  const std::string end = fmt::format(".{}{}", name, state_suffix);
  std::vector<fs::path> files = {directory_ / (name_of(part_) + end)};
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error)) {
    const std::string file = entry.path().filename();
    const auto rank = rank_of(part_, file);
    if (rank && *rank >= part_.ranks && file.ends_with(end)) files.push_back(entry.path());
  }
  return files;
}

void Journal::keep_state(const std::string& name, std::string_view state) {
  {
    const std::lock_guard lock(mutex_);
    begin_writing();
  }
  NewFile file("checkpoint", state_files(name)[0]);
  file.write(state);
  std::string seal;
  add_word(seal, checksum(state));
  file.write(seal);
  file.publish(Existing::replace);
}

void Journal::drop_state(const std::string& name) {
  for (const fs::path& file : state_files(name)) unlink(file.c_str());
}

std::vector<std::string> Journal::states() {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error)) {
    const std::string file = entry.path().filename();
    const auto rank = rank_of(part_, file);
    if (!rank || *rank % part_.ranks != part_.rank || !file.ends_with(state_suffix)) continue;
    const size_t from = file.find('.') + 1;
    names.push_back(file.substr(from, file.size() - from - state_suffix.size()));
  }
  std::ranges::sort(names);
  return names;
}

std::string Journal::state(const std::string& name) {
  const std::vector<fs::path> files = state_files(name);
  const auto file = std::ranges::find_if(files, [](const fs::path& path) { return fs::exists(path); });
  if (file == files.end()) return "";
  const int descriptor = open_journal(*file, O_RDONLY);
  if (descriptor < 0 && errno == ENOENT) return "";
  if (descriptor < 0) fail_file(*file, "read");
  std::string state = read_at(descriptor, *file, 0, size_of(descriptor, *file));
  close(descriptor);
  if (state.size() < tail_bytes) return "";
  const uint64_t seal = word_at(state, state.size() - tail_bytes);
  state.resize(state.size() - tail_bytes);
  return checksum(state) == seal ? state : "";
}

void Journal::note_left(const std::string& ensemble, double seconds) {
  put(std::string(pace), fmt::format("{} {} {:.1f}", ensemble, std::time(nullptr), seconds));
}

// ---- what a journal holds, for people ----

Journal::Journal(fs::path directory) : directory_(std::move(directory)), part_(), every_(0) { refresh(); }

JournalFacts journal_facts(const fs::path& directory) {
  if (!fs::is_directory(directory)) fail("checkpoint: '{}' is not a directory", directory.string());
  Journal journal(directory);
  if (journal.files_.empty()) fail("checkpoint: '{}' holds no journal", directory.string());
  JournalFacts facts;
  facts.identities = journal.identities_;
  facts.damaged = journal.damaged_;
  facts.files = journal.files_.size();
  for (const std::string& text : journal.find(std::string(Journal::begun))) {
    std::istringstream note(text);
    std::string identity;
    uint64_t shares = 0;
    if (!(note >> identity >> shares)) continue;
    auto ensemble = std::ranges::find(facts.ensembles, identity, &JournalFacts::Ensemble::identity);
    if (ensemble == facts.ensembles.end()) ensemble = facts.ensembles.insert(ensemble, {identity});
    ensemble->shares = std::max(ensemble->shares, shares);
  }
  struct Pace {
    int64_t said = 0;
    double seconds_left = 0;
  };
  std::map<std::pair<std::string, size_t>, Pace> latest;  // by ensemble and file
  const auto [first, end] = journal.places_.equal_range(std::string(Journal::pace));
  for (auto note = first; note != end; ++note) {
    std::istringstream text(journal.payload(note->second));
    std::string identity;
    Pace pace;
    if (!(text >> identity >> pace.said >> pace.seconds_left)) continue;
    latest[{identity, note->second.file}] = pace;  // equal keys are in the order in which they were written
  }
  for (const auto& [source, pace] : latest) {
    const auto ensemble = std::ranges::find(facts.ensembles, source.first, &JournalFacts::Ensemble::identity);
    if (ensemble == facts.ensembles.end()) continue;
    ensemble->seconds_left = std::max(ensemble->seconds_left, pace.seconds_left);
    ensemble->said = std::max(ensemble->said, pace.said);
  }
  std::string last;
  for (const auto& [key, place] : journal.places_) {
    const auto ensemble =
        std::ranges::find(facts.ensembles, key.substr(0, key.find('-')), &JournalFacts::Ensemble::identity);
    if (ensemble == facts.ensembles.end() || std::exchange(last, key) == key || key.ends_with(Journal::whole)) continue;
    const bool pieces = key.ends_with(Journal::piece);
    const std::string share = key.substr(0, key.size() - (pieces ? Journal::piece.size() : 0));
    ++(pieces && !journal.places_.contains(share + std::string(Journal::whole)) ? ensemble->pieces : ensemble->done);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == Journal::state_suffix) ++facts.states;
    facts.bytes += entry.file_size();
  }
  return facts;
}

}  // namespace bmsim
