// The journal of checkpoints: what is found is what was put, whatever happened to its files in between.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "engine/keeper.h"
#include "engine/records.h"
#include "error.h"
#include "journal/journal.h"

using namespace bmsim;
namespace fs = std::filesystem;

namespace {

/// A directory that is removed in the end.
struct Directory {
  Directory() { fs::remove_all(root); }
  ~Directory() { fs::remove_all(root); }
  fs::path root = fs::temp_directory_path() / fmt::format("bmsim-test-journal-{}", getpid());
  fs::path file() const { return root / "part-1-of-1.journal"; }
};

/// Files may grow no further than this, until it is lifted.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const rlimit limit{bytes, before_.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  ~FileLimit() {
    lift();
    std::signal(SIGXFSZ, handler_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  void lift() const { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
  sighandler_t handler_;
};

std::string payload(size_t i) { return fmt::format("{}", i) + std::string(17 * i % 120, static_cast<char>('a' + i)); }

constexpr size_t records = 12;

/// Puts the records that are not there. How many there were.
size_t fill(const fs::path& root) {
  Journal journal(root, {});
  journal.identify("version", "1");
  size_t known = 0;
  for (size_t i = 0; i < records; ++i) {
    const auto found = journal.find(fmt::format("key{}", i));
    for (const std::string& one : found) CHECK(one == payload(i));
    if (found.empty())
      journal.put(fmt::format("key{}", i), payload(i));
    else
      ++known;
  }
  return known;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
void write(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a journal that is cut off anywhere keeps every record before, and takes the others again") {
  const Directory directory;
  CHECK(fill(directory.root) == 0);
  CHECK(fill(directory.root) == records);
  const std::string whole = read(directory.file());
  size_t before = 0;
  for (size_t length = 0; length <= whole.size(); ++length) {
    write(directory.file(), whole.substr(0, length));
    const size_t known = fill(directory.root);
    REQUIRE(known >= before);
    REQUIRE(known <= before + 1);
    before = known;
    REQUIRE(fill(directory.root) == records);
  }
  CHECK(before == records);
}

TEST_CASE("a changed bit, or a lost piece, loses one record or two, and gives no wrong one") {
  const Directory directory;
  fill(directory.root);
  const std::string whole = read(directory.file());
  std::mt19937_64 random(3);
  for (int i = 0; i < 500; ++i) {
    CAPTURE(i);
    std::string bytes = whole;
    const size_t at = random() % whole.size();
    if (i % 5 == 0)
      bytes.erase(at, 1 + random() % 40);
    else
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
    write(directory.file(), bytes);
    CHECK(fill(directory.root) + 3 >= records);
    CHECK(fill(directory.root) == records);
  }
}

TEST_CASE("damage is counted, once for each place") {
  const Directory directory;
  fill(directory.root);
  CHECK(Journal(directory.root, {}).damaged() == 0);
  std::string bytes = read(directory.file());
  for (const char* key : {"key3", "key7"}) bytes[bytes.find(key)] = 'K';
  bytes.resize(bytes.size() - 1);
  write(directory.file(), bytes);
  CHECK(Journal(directory.root, {}).damaged() == 3);
  CHECK(fill(directory.root) == records - 3);
}

TEST_CASE("parts see what others have put, whichever came first") {
  const Directory directory;
  Journal one(directory.root, {1, 2}), two(directory.root, {2, 2});
  one.identify("version", "1");
  one.put("a", "from one");
  two.put("b", "from two");
  CHECK(two.find("a").empty());
  two.refresh();
  CHECK(two.find("a") == std::vector<std::string>{"from one"});
  one.refresh();
  CHECK(one.find("b") == std::vector<std::string>{"from two"});
  CHECK(message_of([&] { two.identify("version", "2"); }) ==
        "checkpoint: '" + directory.root.string() +
            "' was begun with another version: 1; now it is 2; give an empty directory, or remove this one");
  Journal three(directory.root, {});
  CHECK(three.find("a").size() + three.find("b").size() == 2);
}

TEST_CASE("a file has one writer") {
  const Directory directory;
  const Journal first(directory.root, {});
  CHECK(message_of([&] { Journal(directory.root, {}); }) ==
        "checkpoint: '" + directory.file().string() + "' is in use by another process");
}

TEST_CASE("a lock that its owner is about to lose is waited for") {
  const Directory directory;
  fill(directory.root);
  const int held = open(directory.file().c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(flock(held, LOCK_EX | LOCK_NB) == 0);
  std::thread dying([held] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    close(held);
  });
  CHECK(message_of([&] { Journal(directory.root, {}); }) == "none");
  dying.join();
}

TEST_CASE("a journal that cannot be begun is begun as soon as it can be") {
  const Directory directory;
  const std::string why = "checkpoint: cannot write '" + directory.file().string() + "': File too large";
  {
    const FileLimit nothing(0);
    Journal journal(directory.root, {});
    journal.identify("version", "1");
    CHECK(journal.unwritten() == why);
    CHECK(message_of([&] { journal.put("a", "x"); }) == why);
    CHECK(message_of([&] { journal.keep_state("a", "x"); }) == why);
    CHECK(message_of([&] {
            Journal(directory.root, {2, 3}).identify("version", "1");
          }) == "checkpoint: cannot write '" + (directory.root / "part-2-of-3.journal").string() + "': File too large");
    nothing.lift();
    journal.put("a", "x");
    CHECK(journal.find("a") == std::vector<std::string>{"x"});
  }
  Journal journal(directory.root, {});
  CHECK(journal.unwritten().empty());
  CHECK(journal.find("a") == std::vector<std::string>{"x"});
  CHECK(message_of([&] { journal.identify("version", "2"); }).find("was begun with another version") !=
        std::string::npos);
}

TEST_CASE("a directory that cannot be made is made as soon as it can be, and what others begin there is not used") {
  if (geteuid() == 0 && seteuid(65534) != 0) return;
  const Directory directory;
  const fs::path closed = directory.root, inside = closed / "kept";
  fs::create_directory(closed);
  fs::permissions(closed, fs::perms::owner_read | fs::perms::owner_exec);
  Journal journal(inside, {}), other(inside, {});
  for (Journal* one : {&journal, &other}) {
    one->identify("version", one == &journal ? "1" : "2");
    CHECK(one->unwritten() == "checkpoint: cannot make the directory '" + inside.string() + "': Permission denied");
    CHECK(message_of([&] { one->put("a", "x"); }) == one->unwritten());
  }
  CHECK(message_of([&] { Journal(inside, {1, 2}); }) == journal.unwritten());
  fs::permissions(closed, fs::perms::owner_all);
  journal.put("a", "x");
  CHECK(message_of([&] { other.put("b", "y"); }).find("is in use by another process") != std::string::npos);
  journal.refresh();
  CHECK(journal.find("a") == std::vector<std::string>{"x"});
  if (getuid() == 0) REQUIRE(seteuid(0) == 0);
}

TEST_CASE("what is not a regular file is no journal, and nobody waits for it") {
  const Directory directory;
  fill(directory.root);
  const fs::path fifo = directory.root / "part-2-of-2.journal";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  CHECK(message_of([&] { Journal(directory.root, {}); }) ==
        "checkpoint: cannot read '" + fifo.string() + "': Invalid argument");
  CHECK(message_of([&] {
          Journal(directory.root, {2, 2});
        }) == "checkpoint: cannot open '" + fifo.string() + "': Invalid argument");
}

TEST_CASE("a state is there as it was kept, or not at all") {
  const Directory directory;
  Journal journal(directory.root, {}, 5);
  CHECK(journal.every() == 5);
  CHECK(journal.states().empty());
  journal.keep_state("one", "the first");
  journal.keep_state("one", "the second");
  journal.keep_state("two", "");
  CHECK(journal.states() == std::vector<std::string>{"one", "two"});
  CHECK(journal.state("one") == "the second");
  CHECK(journal.state("three").empty());
  const fs::path file = directory.root / "part-1-of-1.one.state";
  std::string bytes = read(file);
  bytes[4] = 'X';
  write(file, bytes);
  CHECK(journal.state("one").empty());
  write(file, "");
  CHECK(journal.state("one").empty());
  journal.drop_state("one");
  CHECK(journal.states() == std::vector<std::string>{"two"});
}

TEST_CASE("a file that can grow no further: a message, and nothing is lost") {
  const Directory directory;
  fill(directory.root);
  {
    Journal journal(directory.root, {});
    const FileLimit small(fs::file_size(directory.file()) + 100);
    const std::string much(1000, 'x');
    CHECK(message_of([&] { journal.put("big", much); }) ==
          "checkpoint: cannot write '" + directory.file().string() + "': File too large");
    CHECK(message_of([&] { journal.keep_state("big", std::string(100000, 'x')); }) ==
          "checkpoint: cannot write '" + (directory.root / "part-1-of-1.big.state").string() + "': File too large");
    small.lift();
    CHECK(journal.states().empty());
    journal.put("small", "y");
  }
  CHECK(fill(directory.root) == records);
  CHECK(Journal(directory.root, {}).find("small") == std::vector<std::string>{"y"});
}

TEST_CASE("a keeper: what the journal cannot take waits until it can, and is there for the next process") {
  const Directory directory;
  const Share first{3, 1}, second{4, 0};
  {
    const FileLimit nothing(0);
    Journal journal(directory.root, {});
    journal.identify("version", "1");
    Keeper keeper(&journal, "ensemble");
    keeper.keep(first, ShareResult());
    CHECK_FALSE(keeper.flush(true));
    nothing.lift();
    keeper.keep(second, ShareResult());
    CHECK(keeper.flush(true));
    keeper.note_whole(first);
  }
  Journal journal(directory.root, {});
  for (const char* key : {"ensemble-3-1", "ensemble-4-0"}) {
    const std::vector<std::string> found = journal.find(key);
    REQUIRE(found.size() == 1);
    CHECK(found[0] == bytes_of(ShareResult()));
  }
  CHECK(journal.find("ensemble-3-1-whole").size() == 1);
  CHECK_FALSE(Keeper(nullptr, "").keeps());
}

TEST_CASE("a keeper of one of several parts, for whose work others wait, does not go on without its journal") {
  const Directory directory;
  Journal journal(directory.root, {1, 2});
  journal.identify("version", "1");
  const FileLimit full(fs::file_size(directory.root / "part-1-of-2.journal"));
  Keeper keeper(&journal, "ensemble");
  const std::string message = message_of([&] { keeper.keep(Share{0, 0}, ShareResult()); });
  full.lift();
  CHECK(message.find("File too large") != message.npos);
}

TEST_CASE("parts are K/N") {
  CHECK(journal_part("3/16").number == 3);
  CHECK(journal_part("3/16").of == 16);
  for (const char* wrong : {"", "3", "0/4", "5/4", "a/4", "1/4x", "-1/4", "1/", "/4"}) {
    CAPTURE(wrong);
    CHECK(message_of([&] { journal_part(wrong); }) ==
          fmt::format("--part: must be K/N with 1 <= K <= N, as in 3/16, got '{}'", wrong));
  }
}

TEST_CASE("what a directory holds, for people; and one that holds nothing") {
  const Directory directory;
  CHECK(message_of([&] { journal_facts(directory.root); }) ==
        "checkpoint: '" + directory.root.string() + "' is not a directory");
  fs::create_directories(directory.root);
  CHECK(message_of([&] { journal_facts(directory.root); }) ==
        "checkpoint: '" + directory.root.string() + "' holds no journal");
  Journal journal(directory.root, {});
  journal.identify("version", "1");
  journal.put(std::string(Journal::begun), "abc 5");
  journal.put(std::string(Journal::begun), "abc 8");
  journal.put("abc-0-0", "x");
  journal.put("abc-1-0-piece", "x");
  journal.put("abc-1-0-piece", "y");
  journal.keep_state("one", "x");
  journal.put("begun", "no number");
  journal.put("pace", "abc soon");
  CHECK(journal_facts(directory.root).ensembles[0].seconds_left == -1);
  journal.note_left("abc", 30);
  journal.note_left("abc", 20);
  Journal other(directory.root, {2, 2});
  other.note_left("abc", 70);
  other.note_left("abc", 25);
  const JournalFacts facts = journal_facts(directory.root);
  REQUIRE(facts.ensembles.size() == 1);
  CHECK(facts.ensembles[0].shares == 8);
  CHECK(facts.ensembles[0].done == 1);
  CHECK(facts.ensembles[0].pieces == 1);
  CHECK(facts.ensembles[0].seconds_left == 25);  // the last of each, and the longer one of them
  CHECK(facts.ensembles[0].said > 1700000000);
  CHECK(facts.states == 1);
  CHECK(facts.identities.at("version") == "1");
}
