// A journal of finished work in a directory. Its records are bytes under keys. A process appends them to its own file,
// and reads them from the files of all processes. What a crash, a full disk or a damaged medium has spoilt is found by
// checksums, and dropped.
#pragma once
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bmsim {

/// Part `number` of `of` parts of a run, counted from 1, as this rank of several processes does it.
struct JournalPart {
  unsigned number = 1, of = 1;
  unsigned rank = 0, ranks = 1;
};
/// "3/16". Throws Error (status usage) for anything else, and for numbers out of range.
JournalPart journal_part(std::string_view text);

/// What a journal holds, for people.
struct JournalFacts {
  /// A list of shares of a run: how many there are, and how many of them are done.
  struct Ensemble {
    std::string identity;
    uint64_t shares = 0, done = 0, pieces = 0;
    double seconds_left = -1;  ///< of the slowest process that works on it, as it last said; negative: not known
    int64_t said = 0;          ///< when a process last said so, in seconds since 1970
  };
  std::map<std::string, std::string> identities;  ///< see Journal::identify
  std::vector<Ensemble> ensembles;                ///< in the order of their beginnings
  uint64_t files = 0, states = 0, bytes = 0, damaged = 0;
};
/// Reads a journal, which others may be writing. Throws Error if there is none.
JournalFacts journal_facts(const std::filesystem::path& directory);

/// May be used by several threads at once.
class Journal {
 public:
  /// Opens the journal, or makes the directory and the file of this part. Throws Error if another process has this
  /// part's file open and keeps it for a second, or if the name is no place for a journal. If they cannot be written
  /// for now, unwritten() says why, and every later write tries again; with several parts Error is thrown. every:
  /// seconds between states of unfinished work.
  Journal(std::filesystem::path directory, JournalPart part, double every = 600);
  ~Journal();

  /// How keys end: those of a share's pieces, and that of the note that all pieces are there.
  static constexpr std::string_view piece = "-piece", whole = "-whole";
  /// The key of the notes "ENSEMBLE SHARES", which say how many shares an ensemble has so far.
  static constexpr std::string_view begun = "begun";

  const JournalPart& part() const { return part_; }
  const std::filesystem::path& directory() const { return directory_; }
  /// Why the journal could not be begun; "" if it could.
  const std::string& unwritten() const { return unwritten_; }
  /// Says what the journal is about: a name, and a value that all its processes must share. Throws Error if the journal
  /// was begun with another value.
  void identify(const std::string& name, const std::string& value);
  /// Notes how long this process still needs for its part of an ensemble.
  void note_left(const std::string& ensemble, double seconds);
  /// All records under a key. Throws Error if a file cannot be read.
  std::vector<std::string> find(const std::string& key);
  /// Appends a record. Throws Error if it cannot be written; what is in the file stays readable.
  void put(const std::string& key, std::string_view payload);
  /// Makes durable what was put: at most once a second, unless `now`.
  void sync(bool now);
  /// Looks for what other processes have appended.
  void refresh();
  double every() const { return every_; }
  /// Keeps a state of unfinished work of this part, whole or not at all. It replaces one of the same name. Throws Error
  /// if it cannot be written.
  void keep_state(const std::string& name, std::string_view state);
  void drop_state(const std::string& name);
  /// Whether this is the first call: that states cannot be kept is said only once.
  bool fails_first() { return !failed_.exchange(true); }
  /// The names of the states of this part and rank. Those of ranks that no longer exist go to the present ones in turn.
  std::vector<std::string> states();
  /// A state; "" if there is none of this name, or a damaged one. Throws Error if it cannot be read.
  std::string state(const std::string& name);
  /// Number of damaged places that were skipped, over all files.
  size_t damaged() const { return damaged_; }

 private:
  friend JournalFacts journal_facts(const std::filesystem::path& directory);
  explicit Journal(std::filesystem::path directory);                               ///< only to be read
  static constexpr std::string_view suffix = ".journal", state_suffix = ".state";  // of files
  static constexpr std::string_view identity = "identity", pace = "pace";          // keys of notes
  struct File {
    std::filesystem::path path;
    int descriptor = -1;
    uint64_t read = 0;  ///< bytes whose records are known
  };
  struct Place {
    size_t file;
    uint64_t offset, length;  ///< of the payload
  };
  std::vector<std::filesystem::path> state_files(const std::string& name) const;
  std::string open_own(std::chrono::milliseconds patience);
  void begin_writing();
  void scan(size_t file);
  void learn(const std::string& key, const Place& place);
  std::string payload(const Place& place) const;
  void append(const std::string& key, std::string_view payload);

  const std::filesystem::path directory_;
  const JournalPart part_;
  const double every_;
  mutable std::mutex mutex_;
  std::vector<File> files_;  // the first belongs to this process
  std::multimap<std::string, Place, std::less<>> places_;
  std::map<std::string, std::string> identities_;
  std::set<std::string> unsaid_;  // names of identities that are not in the file of this process yet
  std::string foreign_;           // the name of an identity that is there with another value
  std::string unwritten_;
  bool writes_ = false;  // whether the file of this process is open for writing, and locked
  size_t damaged_ = 0;
  std::atomic<bool> failed_ = false;
  bool dirty_ = false;
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace bmsim
