// Preloaded into a program: one of its calls that change files below a directory fails. Calls are counted from 1, in the
// order in which they come. Set by the environment:
//   FAULT_BELOW   the directory
//   FAULT_AT      which call; 0 for none
//   FAULT_ERROR   the name of the error; or "short": half of the bytes are written
//   FAULT_LASTS   set: all later calls fail, too
//   FAULT_COUNT   file that gets the number of calls at the end
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { most_files = 1024 };
static atomic_char watched[most_files];  // by descriptor
static atomic_long calls;

static int is_below(const char* path) {
  char whole[2 * PATH_MAX] = "";
  const char* below = getenv("FAULT_BELOW");
  if (below == NULL) return 0;
  if (path[0] != '/') {
    if (getcwd(whole, PATH_MAX) == NULL) return 0;
    strncat(whole, "/", 2);
  }
  strncat(whole, path, PATH_MAX - 2);
  return strncmp(whole, below, strlen(below)) == 0;
}

static int is_watched(int file) { return file >= 0 && file < most_files && watched[file]; }

static int is_short(void) {
  const char* error = getenv("FAULT_ERROR");
  return error != NULL && strcmp(error, "short") == 0;
}

// Counts a call; 1 if it fails, with errno set.
static int fails(void) {
  static const struct {
    const char* name;
    int number;
  } errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EROFS", EROFS}, {"EDQUOT", EDQUOT},
                {"EINTR", EINTR},   {"EACCES", EACCES}, {"EXDEV", EXDEV}};
  const char *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERROR");
  const long call = ++calls, first = at == NULL ? 0 : atol(at);
  if (first == 0 || error == NULL || call < first || (call > first && getenv("FAULT_LASTS") == NULL)) return 0;
  errno = EIO;
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; ++i)
    if (strcmp(error, errors[i].name) == 0) errno = errors[i].number;
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int opened(const char* path, int flags, int file) {
  if (file >= 0 && file < most_files) watched[file] = (flags & O_ACCMODE) != O_RDONLY && is_below(path);
  return file;
}

#define OPEN(name)                                                              \
  int name(const char* path, int flags, ...) {                                  \
    va_list list;                                                               \
    va_start(list, flags);                                                      \
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;      \
    va_end(list);                                                               \
    const int writes = (flags & O_ACCMODE) != O_RDONLY && is_below(path);       \
    if (writes && !is_short() && fails()) return -1;                            \
    return opened(path, flags, ((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode)); \
  }
OPEN(open)
OPEN(open64)

static FILE* opened_stream(const char* path, const char* mode, FILE* stream) {
  if (stream != NULL) opened(path, strpbrk(mode, "wa+") != NULL ? O_RDWR : O_RDONLY, fileno(stream));
  return stream;
}
FILE* fopen(const char* path, const char* mode) {
  if (strpbrk(mode, "wa+") != NULL && is_below(path) && !is_short() && fails()) return NULL;
  return opened_stream(path, mode, NEXT(fopen)(path, mode));
}
FILE* fopen64(const char* path, const char* mode) {
  if (strpbrk(mode, "wa+") != NULL && is_below(path) && !is_short() && fails()) return NULL;
  return opened_stream(path, mode, NEXT(fopen64)(path, mode));
}

// The bytes that a write may take; -1 if it fails.
static ssize_t allowed(int file, size_t count) {
  if (!is_watched(file) || !fails()) return (ssize_t)count;
  return is_short() ? (ssize_t)((count + 1) / 2) : -1;
}
ssize_t write(int file, const void* bytes, size_t count) {
  const ssize_t most = allowed(file, count);
  return most < 0 ? -1 : NEXT(write)(file, bytes, (size_t)most);
}
ssize_t pwrite(int file, const void* bytes, size_t count, off_t at) {
  const ssize_t most = allowed(file, count);
  return most < 0 ? -1 : NEXT(pwrite)(file, bytes, (size_t)most, at);
}
ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t at) {
  const ssize_t most = allowed(file, count);
  return most < 0 ? -1 : NEXT(pwrite64)(file, bytes, (size_t)most, at);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  const ssize_t most = allowed(file, 2);
  if (most < 0) return -1;
  return most == 1 ? NEXT(write)(file, parts[0].iov_base, (parts[0].iov_len + 1) / 2) : NEXT(writev)(file, parts, count);
}

#define ON_FILE(name, declared, given) \
  int name declared {                  \
    if (is_watched(file) && !is_short() && fails()) return -1; \
    return NEXT(name) given;           \
  }
ON_FILE(fsync, (int file), (file))
ON_FILE(fdatasync, (int file), (file))
ON_FILE(ftruncate, (int file, off_t size), (file, size))
ON_FILE(ftruncate64, (int file, off64_t size), (file, size))
ON_FILE(flock, (int file, int operation), (file, operation))

#define ON_PATH(name, declared, given) \
  int name declared {                  \
    if (is_below(path) && !is_short() && fails()) return -1; \
    return NEXT(name) given;           \
  }
ON_PATH(rename, (const char* path, const char* to), (path, to))
ON_PATH(link, (const char* path, const char* to), (path, to))
int renameat2(int from, const char* path, int to, const char* name, unsigned flags) {
  if (is_below(path) && !is_short() && fails()) return -1;
  return NEXT(renameat2)(from, path, to, name, flags);
}
ON_PATH(mkdir, (const char* path, mode_t mode), (path, mode))
ON_PATH(unlink, (const char* path), (path))

int close(int file) {
  if (file >= 0 && file < most_files) watched[file] = 0;
  return NEXT(close)(file);
}

__attribute__((destructor)) static void tell(void) {
  const char* path = getenv("FAULT_COUNT");
  FILE* file = path == NULL ? NULL : NEXT(fopen)(path, "w");
  if (file == NULL) return;
  fprintf(file, "%ld\n", (long)calls);
  fclose(file);
}
