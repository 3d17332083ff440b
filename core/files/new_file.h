// Files that appear under their names whole or not at all. Everything that the program writes goes through here.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "error.h"

namespace bmsim {

/// What happens to an existing file of the same name.
enum class Existing { replace, refuse };
/// Whether the bytes get to the disk before the name does.
enum class Durable { yes, no };

/// Whether a pipe, or an open file of this process, may be written to in place of a file that appears whole.
enum class Streams { refuse, allow };
/// Whether a name stands for something that is written to directly, with no file beside it: a character device, a FIFO,
/// a pipe, or an open file of this process, such as /dev/stdout.
bool is_stream(const std::filesystem::path& file);

/// Thrown if a file cannot have the name that was asked for. It is kept under another one, which the message says.
class KeptElsewhere : public Error {
  using Error::Error;
};

/// A file that is being written, under a random name in the directory of `file`. It is made by this process (O_EXCL),
/// and locked while it is open. Without publish() nothing of it remains. Such files that killed processes have left in
/// the directory are removed. Messages begin with `subject`: "output: cannot write 'x.csv': No space left on device".
class NewFile {
 public:
  /// A symbolic link stands for what it points to. A file of this user that will be replaced keeps its permissions.
  /// Streams are written to directly: character devices always, others if they are allowed. A FIFO is opened as soon as
  /// somebody reads from it. Throws Error: no such directory, not writable, not a regular file.
  NewFile(std::string subject, const std::filesystem::path& file, Streams streams = Streams::refuse);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view bytes);
  /// Gives the file its name.
  void publish(Existing existing, Durable durable = Durable::yes);
  /// Gives the file its name. If it cannot have that, it gets another, NAME.2.csv, and KeptElsewhere is thrown.
  void publish_or_keep(Existing existing);

 private:
  [[noreturn]] void fail(int error) const;
  void open_stream();
  void make();
  void flush();
  void finish(Durable durable);
  int rename(const std::filesystem::path& to, Existing existing) const;
  void close();

  std::string subject_;
  std::filesystem::path given_;   // as messages say it
  std::filesystem::path target_;  // behind symbolic links
  std::filesystem::path part_;    // the temporary name; empty for a stream and once it is published
  std::string buffer_;
  int descriptor_ = -1;
};

/// Writes a file at once.
void write_file(const std::string& subject, const std::filesystem::path& file, std::string_view bytes,
                Existing existing, Durable durable = Durable::yes);

/// Throws the Error that writing this file would throw, and leaves nothing. Who reads from a FIFO does not notice it.
void check_new_file(const std::string& subject, const std::filesystem::path& file, Streams streams = Streams::refuse);

/// A name for a file that is to be removed soon. If that is prevented, remove_abandoned_files() does it later.
std::filesystem::path temporary_name(const std::filesystem::path& directory);
/// Removes the files of killed processes that never got their names.
void remove_abandoned_files(const std::filesystem::path& directory);

/// Makes the names in a directory durable, if the file system does not do so by itself.
void sync_names(const std::filesystem::path& directory);
/// Writes all bytes at this offset of an open file, in as many writes as it takes. Returns errno, 0 for success.
int write_all(int descriptor, std::string_view bytes, off_t offset);
/// Writes all bytes after what was written before. Returns errno, 0 for success.
int write_all(int descriptor, std::string_view bytes);

/// The bytes of a file; empty if it cannot be read.
std::string read_file(const std::filesystem::path& file);

}  // namespace bmsim
