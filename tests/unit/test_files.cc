// Files that appear whole or not at all, among other programs and users.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "files/new_file.h"
#include "files/temporary.h"
#include "message_of.h"
#include "workplace.h"

using namespace bmsim;
using bmsim::test::message_of;
using bmsim::test::Workplace;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& file, const char* text) { std::ofstream(file) << text; }

mode_t mode_of(const fs::path& file) {
  struct stat status {};
  REQUIRE(stat(file.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

/// BEGINNING-HOST, as names begin that this machine gives.
std::string with_host(const std::string& beginning) {
  const std::string name = own_name(beginning);
  return name.substr(0, name.find('-', beginning.size() + 1));
}

/// A process that is no more.
pid_t dead_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return child;
}

}  // namespace

TEST_CASE("Files: nothing of a file is seen before it is complete, and nothing is left of one that is given up") {
  const Workplace work;
  {
    NewFile given_up("output", work.file("x.csv"));
    given_up.write(std::string(1 << 20, 'x'));
    CHECK_FALSE(fs::exists(work.file("x.csv")));
    CHECK(work.count() == 1);
  }
  CHECK(work.count() == 0);
  NewFile file("output", work.file("x.csv"));
  file.write("one ");
  file.write("two");
  file.publish(Existing::refuse);
  CHECK(read_file(work.file("x.csv")) == "one two");
  CHECK(work.count() == 1);
}

TEST_CASE("Files: one that another program has made in the meantime is not replaced, and nothing is lost") {
  const Workplace work;
  put(work.file("x.2.csv"), "older");
  NewFile file("output", work.file("x.csv"));
  file.write("ours");
  put(work.file("x.csv"), "theirs");
  CHECK(message_of([&] { file.publish_or_keep(Existing::refuse); }) ==
        "output: cannot write '" + work.file("x.csv") +
            "': another program has made it in the meantime; what was to be in it is in '" + work.file("x.3.csv") +
            "'");
  CHECK(read_file(work.file("x.csv")) == "theirs");
  CHECK(read_file(work.file("x.2.csv")) == "older");
  CHECK(read_file(work.file("x.3.csv")) == "ours");
  CHECK(work.count() == 3);
  CHECK(
      message_of([&] { write_file("output", work.file("x.csv"), "more", Existing::refuse); }).ends_with("File exists"));
  CHECK(work.count() == 3);
}

TEST_CASE("Files: a file that is replaced keeps its mode, and a symbolic link leads where it led") {
  const Workplace work;
  fs::create_directory(work.root / "far");
  put(work.file("far/data.csv"), "old");
  REQUIRE(chmod(work.file("far/data.csv").c_str(), 0640) == 0);
  fs::create_symlink("far/data.csv", work.root / "link.csv");
  fs::create_symlink("link.csv", work.root / "twice.csv");
  write_file("output", work.file("twice.csv"), "new", Existing::replace);
  CHECK(fs::is_symlink(work.file("twice.csv")));
  CHECK(read_file(work.file("far/data.csv")) == "new");
  CHECK(mode_of(work.file("far/data.csv")) == 0640);
  REQUIRE(chmod(work.file("far/data.csv").c_str(), 06755) == 0);
  write_file("output", work.file("twice.csv"), "new", Existing::replace);
  CHECK(mode_of(work.file("far/data.csv")) == 0755);
  fs::create_symlink("far/none.csv", work.root / "dangling.csv");
  write_file("output", work.file("dangling.csv"), "new", Existing::refuse);
  CHECK(read_file(work.file("far/none.csv")) == "new");
}

TEST_CASE("Files: a link that somebody else has put into a shared directory is not followed") {
  if (geteuid() != 0) {
    MESSAGE("not root: the link of another user is not tried");
    return;
  }
  const Workplace work;
  constexpr uid_t nobody = 65534;
  fs::create_directory(work.root / "shared");
  REQUIRE(chmod(work.file("shared").c_str(), 01777) == 0);
  put(work.file("precious"), "precious");
  fs::create_symlink(work.root / "precious", work.root / "shared/x.csv");
  REQUIRE(lchown(work.file("shared/x.csv").c_str(), nobody, nobody) == 0);
  (void)message_of([&] { write_file("output", work.file("shared/x.csv"), "new", Existing::replace); });
  CHECK(read_file(work.file("precious")) == "precious");
}

TEST_CASE("Files: what cannot be written says why") {
  const Workplace work;
  const auto why = [&](const std::string& name) {
    const std::string text = message_of([&] { check_new_file("output", work.file(name.c_str())); });
    return text.substr(text.find("': ") + 3);
  };
  CHECK(why("none/x.csv") == "No such file or directory");
  CHECK(why(std::string(300, 'x')) == "File name too long");
  fs::create_directory(work.root / "d");
  CHECK(why("d") == "it is not a regular file");
  REQUIRE(mkfifo(work.file("fifo").c_str(), 0600) == 0);
  CHECK(why("fifo") == "it is not a regular file");
  put(work.file("x"), "");
  CHECK(why("x/y") == "Not a directory");
  CHECK(message_of([&] { write_file("output", "/dev/full", "x", Existing::replace); }) ==
        "output: cannot write '/dev/full': No space left on device");
  CHECK(message_of([&] { check_new_file("output", work.file(std::string(255, 'x').c_str())); }) == "no error");
  CHECK(work.count() == 3);
}

TEST_CASE("Files: a pipe, a FIFO and an open file are written to directly, where that is allowed") {
  const Workplace work;
  const std::string much(100000, 'x');
  REQUIRE(mkfifo(work.file("fifo").c_str(), 0600) == 0);
  fs::create_symlink("fifo", work.root / "x.csv");
  CHECK(is_stream(work.file("x.csv")));
  CHECK(message_of([&] { check_new_file("output", work.file("x.csv")); }).find("not a regular") != std::string::npos);
  CHECK(message_of([&] { check_new_file("output", work.file("x.csv"), Streams::allow); }) == "no error");
  std::string heard;
  std::thread reader([&] { heard = read_file(work.file("fifo")); });
  {
    NewFile file("output", work.file("x.csv"), Streams::allow);
    file.write(much);
    CHECK(work.count() == 2);
    file.publish_or_keep(Existing::refuse);
  }
  reader.join();
  CHECK(heard == much);

  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const std::string to_pipe = fmt::format("/dev/fd/{}", ends[1]), from_pipe = fmt::format("/dev/fd/{}", ends[0]);
  {
    NewFile file("output", to_pipe, Streams::allow);
    file.write("through a pipe");
    file.publish(Existing::refuse);
  }
  std::string bytes(100, ' ');
  bytes.resize(static_cast<size_t>(read(ends[0], bytes.data(), bytes.size())));
  CHECK(bytes == "through a pipe");
  CHECK(message_of([&] { check_new_file("output", from_pipe, Streams::allow); }) ==
        "output: cannot write '" + from_pipe + "': Bad file descriptor");
  CHECK(message_of([&] { NewFile("output", from_pipe, Streams::allow); }) ==
        "output: cannot write '" + from_pipe + "': Bad file descriptor");
  close(ends[0]), close(ends[1]);

  put(work.file("log"), "before\n");
  const int log = open(work.file("log").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  fs::create_symlink(fmt::format("/proc/self/fd/{}", log), work.root / "link.csv");
  CHECK(is_stream(work.file("link.csv")));
  CHECK_FALSE(is_stream(work.file("log")));
  CHECK_FALSE(is_stream(work.file("none")));
  write_file("output", work.file("log.csv"), "whole", Existing::refuse);
  {
    NewFile file("output", work.file("link.csv"), Streams::allow);
    file.write("after\n");
    file.publish(Existing::refuse);
  }
  close(log);
  CHECK(read_file(work.file("log")) == "before\nafter\n");
  CHECK(work.count() == 5);
}

TEST_CASE("Files: what killed processes have left is removed, what others hold is not") {
  const Workplace work;
  const std::string here = with_host(".bmsim");
  const auto name = [&](pid_t process, const char* end, const std::string& host = "") {
    return work.root / fmt::format("{}-{}-{}.part", host.empty() ? here : ".bmsim-" + host, process, end);
  };
  const pid_t dead = dead_process();
  const fs::path abandoned = name(dead, "abandoned"), held = name(dead, "held"), fresh = name(getppid(), "fresh"),
                 old = name(getppid(), "old"), foreign = work.root / ".bmsim-x.part", link = name(dead, "link"),
                 elsewhere = name(dead, "elsewhere", "otherhost"), renamed = name(dead, "directory");
  for (const fs::path& file : {abandoned, held, fresh, old, foreign, elsewhere}) put(file, "half");
  fs::create_symlink(foreign, link);
  fs::create_directory(renamed);
  const int holder = open(held.c_str(), O_RDWR | O_CLOEXEC);  // as a container has it where process numbers are others
  REQUIRE(flock(holder, LOCK_EX) == 0);
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(30));
  write_file("output", work.file("x.csv"), "x", Existing::refuse);
  CHECK_FALSE(fs::exists(abandoned));
  CHECK_FALSE(fs::exists(old));
  for (const fs::path& file : {held, fresh, foreign, link, elsewhere, renamed}) CHECK(fs::exists(file));
  close(holder);
}

TEST_CASE("Files: one of another user that everybody may write is not replaced by one that everybody may write") {
  if (geteuid() != 0) {
    MESSAGE("not root: the file of another user is not tried");
    return;
  }
  const Workplace work;
  constexpr uid_t nobody = 65534;
  put(work.file("x.csv"), "theirs");
  REQUIRE(chown(work.file("x.csv").c_str(), nobody, nobody) == 0);
  REQUIRE(chmod(work.file("x.csv").c_str(), 06777) == 0);
  write_file("output", work.file("x.csv"), "ours", Existing::replace);
  CHECK((mode_of(work.file("x.csv")) & ~0664U) == 0);
}

TEST_CASE("Temporary directories: for this user alone, and removed, also those of killed processes") {
  const Workplace work;
  const fs::path abandoned = work.root / fmt::format("{}-{}-abandoned", with_host("bmsim-plot"), dead_process());
  fs::create_directories(abandoned / "deep");
  put(abandoned / "deep/file", "x");
  fs::path path;
  {
    const TemporaryDirectory one(work.root, "plot");
    path = one.path();
    CHECK(mode_of(path) == 0700);
    CHECK_FALSE(fs::exists(abandoned));
    put(path / "file", "x");
    const TemporaryDirectory two(work.root, "plot");
    CHECK(fs::exists(path));
    CHECK(work.count() == 2);
  }
  CHECK(work.count() == 0);
  fs::create_directories(abandoned / "deep");
  REQUIRE(chmod(work.root.c_str(), 0770) == 0);  // where others of the group may rename what is precious
  { const TemporaryDirectory one(work.root, "plot"); }
  CHECK(fs::exists(abandoned / "deep"));
  CHECK(message_of([&] { TemporaryDirectory(work.root / "none", "plot"); }) ==
        "cannot make a directory in '" + (work.root / "none").string() + "': No such file or directory");
}
