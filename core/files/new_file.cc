#include "files/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "files/temporary.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view beginning = ".bmsim", ending = ".part";

/// Whether a symbolic link may be followed. In a directory where everybody may put one, only ours and those of the
/// directory's owner are, as the kernel has it for links that it follows (protected_symlinks).
bool may_follow(const fs::path& link) {
  struct stat status {
  }, directory{};
  if (lstat(link.c_str(), &status) != 0 || stat(fs::absolute(link).parent_path().c_str(), &directory) != 0)
    return false;
  constexpr mode_t shared = S_ISVTX | S_IWOTH;
  return (directory.st_mode & shared) != shared || status.st_uid == geteuid() || status.st_uid == directory.st_uid;
}

/// What a symbolic link points to; nothing for other files, and for a link that may not be followed.
std::optional<fs::path> link_target(const fs::path& file) {
  std::error_code error;
  if (!fs::is_symlink(file, error) || !may_follow(file)) return {};
  const fs::path target = fs::read_symlink(file, error);
  return error ? std::nullopt : std::optional(file.parent_path() / target);  // the target alone if it is absolute
}

constexpr int most_links = 40;

/// The file that a name stands for, behind all symbolic links. It need not exist.
fs::path behind_links(fs::path file) {
  std::optional<fs::path> target;
  for (int i = 0; i < most_links && (target = link_target(file)); ++i) file = *target;
  return file;
}

fs::path directory_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// The number of the open file of this process that a name stands for, as /dev/stdout does, or /dev/fd/3.
std::optional<int> open_file(fs::path file) {
  std::error_code error;
  const fs::path open_files = fs::canonical("/proc/self/fd", error);
  if (error) return {};
  for (int i = 0; i < most_links; ++i) {
    if (fs::canonical(directory_of(file), error) == open_files && !error) {
      const std::string name = file.filename();
      int number = -1;
      const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
      return code == std::errc() && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
    }
    const std::optional<fs::path> target = link_target(file);
    if (!target) return {};
    file = *target;
  }
  return {};
}

bool is_writable(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags != -1 && (flags & O_ACCMODE) != O_RDONLY;
}

/// Whether an error says that the file system does not know this kind of sync or rename.
bool unknown_there(int error) { return error == EINVAL || error == ENOSYS || error == ENOTSUP || error == EPERM; }

int sync_bytes(int descriptor) {
  while (fdatasync(descriptor) != 0)
    if (errno != EINTR) return unknown_there(errno) ? 0 : errno;
  return 0;
}

template <class Write> int write_with(std::string_view bytes, Write&& write) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(bytes);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(wrote));
  }
  return 0;
}

}  // namespace

void sync_names(const fs::path& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

int write_all(int descriptor, std::string_view bytes, off_t offset) {
  return write_with(bytes, [&](std::string_view rest) {
    const ssize_t wrote = pwrite(descriptor, rest.data(), rest.size(), offset);
    if (wrote > 0) offset += wrote;
    return wrote;
  });
}

int write_all(int descriptor, std::string_view bytes) {
  return write_with(bytes, [&](std::string_view rest) { return ::write(descriptor, rest.data(), rest.size()); });
}

bool is_stream(const fs::path& file) {
  struct stat status {};
  return open_file(file) ||
         (stat(behind_links(file).c_str(), &status) == 0 && (S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode)));
}

NewFile::NewFile(std::string subject, const fs::path& file, Streams streams)
    : subject_(std::move(subject)), given_(file), target_(behind_links(file)) {
  struct stat status {};
  const bool exists = stat(target_.c_str(), &status) == 0;
  const int why_not = exists ? 0 : errno;
  if ((exists && S_ISCHR(status.st_mode)) || (streams == Streams::allow && is_stream(file))) {
    open_stream();
    return;
  }
  if (!exists && why_not != ENOENT) fail(why_not);
  if (exists && !S_ISREG(status.st_mode))
    throw Error(fmt::format("{}: cannot write '{}': it is not a regular file", subject_, given_.string()));
  if (exists && access(target_.c_str(), W_OK) != 0) fail(errno);
  remove_abandoned_files(directory_of(target_));
  make();
  if (exists && status.st_uid == geteuid()) fchmod(descriptor_, status.st_mode & 0777);
}

NewFile::~NewFile() {
  if (!part_.empty()) unlink(part_.c_str());
  close();
}

void NewFile::fail(int error) const {
  throw Error(fmt::format("{}: cannot write '{}': {}", subject_, given_.string(), std::strerror(error)));
}

// What the program has printed comes before what is written here. Opening a FIFO waits until somebody reads from it.
void NewFile::open_stream() {
  const std::optional<int> open_already = open_file(given_);
  std::fflush(stdout);
  if (open_already && !is_writable(*open_already)) fail(EBADF);
  descriptor_ =
      open_already ? fcntl(*open_already, F_DUPFD_CLOEXEC, 0) : open(target_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
}

void NewFile::make() {
  while (true) {
    part_ = temporary_name(directory_of(target_));
    descriptor_ = open(part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ >= 0 && lock_new(descriptor_)) return;
    const int error = descriptor_ < 0 ? errno : EEXIST;
    part_.clear();
    close();
    if (error != EEXIST && error != EINTR) fail(error);
  }
}

void NewFile::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void NewFile::write(std::string_view bytes) {
  constexpr size_t most = 1 << 16;
  if (bytes.size() >= most) {
    flush();
    if (const int error = write_all(descriptor_, bytes); error != 0) fail(error);
    return;
  }
  buffer_ += bytes;
  if (buffer_.size() >= most) flush();
}

void NewFile::flush() {
  if (const int error = write_all(descriptor_, buffer_); error != 0) fail(error);
  buffer_.clear();
}

// Returns 0 or errno. A file system that cannot rename without replacing gets a hard link, or is looked at before.
int NewFile::rename(const fs::path& to, Existing existing) const {
  if (existing == Existing::replace) return std::rename(part_.c_str(), to.c_str()) == 0 ? 0 : errno;
  if (renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (!unknown_there(errno)) return errno;
  if (link(part_.c_str(), to.c_str()) == 0) return unlink(part_.c_str()), 0;
  if (!unknown_there(errno)) return errno;
  struct stat status {};
  if (lstat(to.c_str(), &status) == 0) return EEXIST;
  return std::rename(part_.c_str(), to.c_str()) == 0 ? 0 : errno;
}

void NewFile::finish(Durable durable) {
  flush();
  if (part_.empty() || durable == Durable::no) return;
  if (const int error = sync_bytes(descriptor_); error != 0) fail(error);
}

void NewFile::publish(Existing existing, Durable durable) {
  finish(durable);
  if (part_.empty()) return;
  if (const int error = rename(target_, existing); error != 0) fail(error);
  part_.clear();
  if (durable == Durable::yes) sync_names(directory_of(target_));
}

void NewFile::publish_or_keep(Existing existing) {
  finish(Durable::yes);
  if (part_.empty()) return;
  const int error = rename(target_, existing);
  fs::path other = target_;
  constexpr int most = 1000;
  int failed = error == 0 ? 0 : EEXIST;
  for (int n = 2; failed == EEXIST && n < most; ++n) {
    other.replace_filename(fmt::format("{}.{}{}", target_.stem().string(), n, target_.extension().string()));
    failed = rename(other, Existing::refuse);
  }
  if (failed != 0) fail(error);
  part_.clear();
  sync_names(directory_of(target_));
  if (error == 0) return;
  const std::string why = error == EEXIST ? "another program has made it in the meantime" : std::strerror(error);
  throw KeptElsewhere(fmt::format("{}: cannot write '{}': {}; what was to be in it is in '{}'", subject_,
                                  given_.string(), why, other.string()));
}

void write_file(const std::string& subject, const fs::path& file, std::string_view bytes, Existing existing,
                Durable durable) {
  NewFile fresh(subject, file);
  fresh.write(bytes);
  fresh.publish(existing, durable);
}

fs::path temporary_name(const fs::path& directory) { return directory / (own_name(beginning) + std::string(ending)); }

void remove_abandoned_files(const fs::path& directory) { remove_abandoned(directory, beginning, ending); }

void check_new_file(const std::string& subject, const fs::path& file, Streams streams) {
  if (streams == Streams::refuse || !is_stream(file)) {
    NewFile(subject, file);
    return;
  }
  const std::optional<int> open_already = open_file(file);
  if (open_already ? !is_writable(*open_already) : access(file.c_str(), W_OK) != 0)
    throw Error(
        fmt::format("{}: cannot write '{}': {}", subject, file.string(), std::strerror(open_already ? EBADF : errno)));
}

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace bmsim
