// A journal of finished work in a directory: records of bytes under keys, appended to a file of this process and read
// from the files of all. What a crash, a full disk or a damaged medium leaves is found by checksums, and dropped.
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

/// Part `number` of `of` parts of a run, from 1, as done by this rank of several processes.
struct JournalPart {
  unsigned number = 1, of = 1;
  unsigned rank = 0, ranks = 1;
};
/// "3/16". Throws Error (status usage) for anything else, and for numbers out of range.
JournalPart journal_part(std::string_view text);

/// What a journal holds, for people.
struct JournalFacts {
  /// One list of shares that a run has: how many, and how many of them are done.
  struct Ensemble {
    std::string identity;
    uint64_t shares = 0, done = 0, pieces = 0;
    double seconds_left = -1;  ///< of the slowest process that works on it, as it last said; negative: not known
    int64_t said = 0;          ///< when, in seconds since 1970
  };
  std::map<std::string, std::string> identities;  ///< see Journal::identify
  std::vector<Ensemble> ensembles;                ///< in the order of their beginnings
  uint64_t files = 0, states = 0, bytes = 0, damaged = 0;
};
/// Reads a journal that others may be writing. Throws Error if there is none.
JournalFacts journal_facts(const std::filesystem::path& directory);

/// May be used by several threads at once.
class Journal {
 public:
  /// Opens the journal, or makes the directory and the file of this part. Throws Error if another process has this
  /// part's file open and keeps it for a second, or if the name is no place for a journal. Where they cannot be written
  /// for now, unwritten() says why, and whatever writes tries again; with several parts Error is thrown. every: seconds
  /// between states of work that is not finished.
  Journal(std::filesystem::path directory, JournalPart part, double every = 600);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Ends of the keys of a share's pieces, and of the note that all of them are there.
  static constexpr std::string_view piece = "-piece", whole = "-whole";
  /// The key of the notes "ENSEMBLE SHARES": how many shares an ensemble has so far.
  static constexpr std::string_view begun = "begun";

  const JournalPart& part() const { return part_; }
  const std::filesystem::path& directory() const { return directory_; }
  /// Why the journal could not be begun; "" if it could.
  const std::string& unwritten() const { return unwritten_; }
  /// Says of what the journal is: a name and a value that all its processes must share. Throws Error if the journal was
  /// begun with another value.
  void identify(const std::string& name, const std::string& value);
  /// Notes how long this process still needs for its part of an ensemble.
  void note_left(const std::string& ensemble, double seconds);
  /// All records under a key. Throws Error if a file cannot be read.
  std::vector<std::string> find(const std::string& key);
  /// Appends a record. Throws Error if it cannot be written; what is in the file stays readable then.
  void put(const std::string& key, std::string_view payload);
  /// Makes what was put durable: at most once in a second, unless `now`.
  void sync(bool now);
  /// Looks for what other processes have appended.
  void refresh();
  double every() const { return every_; }
  /// Keeps a state of unfinished work of this part, which replaces one of the same name: whole, or not at all. Throws
  /// Error if it cannot be written.
  void keep_state(const std::string& name, std::string_view state);
  void drop_state(const std::string& name);
  /// Whether it was not called before: that states cannot be kept is said once.
  bool fails_first() { return !failed_.exchange(true); }
  /// The names of the states of this part and rank, and of ranks that there are no longer, in turn; a state, "" if
  /// there is none of this name, or a damaged one. Throws Error if it cannot be read.
  std::vector<std::string> states();
  std::string state(const std::string& name);
  /// Number of damaged places that were skipped, over all files.
  size_t damaged() const { return damaged_; }

 private:
  friend JournalFacts journal_facts(const std::filesystem::path& directory);
  explicit Journal(std::filesystem::path directory);                               ///< to be read alone
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
  std::vector<File> files_;  // the first is that of this process
  std::multimap<std::string, Place, std::less<>> places_;
  std::map<std::string, std::string> identities_;
  std::set<std::string> unsaid_;  // of these, the names that are not in the file of this process yet
  std::string foreign_;           // the name of one that is there with another value
  std::string unwritten_;
  bool writes_ = false;  // whether the file of this process is open for writing, and locked
  size_t damaged_ = 0;
  std::atomic<bool> failed_ = false;
  bool dirty_ = false;
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace bmsim
