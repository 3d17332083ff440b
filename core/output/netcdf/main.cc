// The program that reads and makes netCDF files for the library: netcdf read FILE, netcdf read FILE texts, or
// netcdf write THREADS. It exchanges the records of wire.h. HDF5 is in this process alone, since a damaged file may
// crash it or keep it busy. While the program reads, it has little memory and time and makes no file grow, and the
// other process does not trust it. It is no sandbox.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <new>
#include <string_view>

#include "output/netcdf/hdf5.h"
#include "output/netcdf/program.h"

namespace bmsim::netcdf {

namespace {

void limit(int resource, rlim_t most) {
  const rlimit wanted{most, most};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &wanted);
}

/// A minute, and a second for every MiB of the file.
rlim_t seconds_in_all(const char* file) {
  struct stat status {};
  return 60 + (stat(file, &status) == 0 ? static_cast<rlim_t>(status.st_size) >> 20 : 0);
}

void confine_reader(const char* file) {
  limit(RLIMIT_FSIZE, 0);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__  // which reserve more than any machine has
  limit(RLIMIT_AS, rlim_t{1} << 30);
#endif
  limit(RLIMIT_CPU, seconds_in_all(file));
  renew_time();
}

void begin() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);  // no core file
  limit(RLIMIT_CORE, 0);
  setenv("HDF5_PLUGIN_PRELOAD", "::", 1);       // no filters but those that HDF5 was built with
  setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);  // files are complete when they have their names
  if (chdir("/") != 0) throw Problem("the program cannot change its directory");
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // HDF5 prints no messages of its own
}

void work(int argc, char** argv, Receiver& receiver, Sender& sender) {
  const std::string_view task = argc > 1 ? argv[1] : "";
  begin();
  if (task == wire::write) return write(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1, receiver, sender);
  if (task != wire::read || argc < 3) throw Problem("it is told to read FILE, or to write");
  confine_reader(argv[2]);
  read(argv[2], argc > 3 && std::string_view(argv[3]) == wire::texts_alone, sender);
}

}  // namespace

void renew_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  rlimit time{};
  getrlimit(RLIMIT_CPU, &time);
  const auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  time.rlim_cur = std::min<rlim_t>(time.rlim_max - 1, seconds + wire::seconds);
  setrlimit(RLIMIT_CPU, &time);
}

}  // namespace bmsim::netcdf

int main(int argc, char** argv) {
  namespace netcdf = bmsim::netcdf;
  namespace wire = bmsim::wire;
  netcdf::Sender sender;
  netcdf::Receiver receiver;
  const auto refuse = [&](std::string_view why) {
    receiver.drain();
    sender.kind(wire::error);
    sender.text(why);
  };
  try {
    netcdf::work(argc, argv, receiver, sender);
  } catch (const std::bad_alloc&) {
    refuse("it takes more memory than there is for it");
  } catch (const std::exception& error) {
    refuse(error.what());
  }
  sender.finish();
  std::_Exit(EXIT_SUCCESS);  // closing a damaged file is not worth a risk
}
