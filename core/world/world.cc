#include "world/world.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>

#include "error.h"

namespace bmsim {

/// The functions of world/mpi/bmsim_mpi.c.
struct World::Functions {
  int (*begin)(int*, int*, int*, int*);
  char* (*gather)(const char*, uint64_t, uint64_t*);
  int (*all_here)();
  void (*tell)(const double*);
  void (*hear)(double*);
  const char* (*version)();
  void (*abort)(int);
  void (*end)();
};

namespace {

constexpr int interface = 2;

/// The environment variable by which a launcher of MPI tells a process that it is one of several; null for none.
const char* launcher_variable() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK", "MPI_LOCALNRANKS"})
    if (std::getenv(name) != nullptr) return name;
  return nullptr;
}

/// Whether the launcher has started several processes. This library's MPI, with one rank, does not know of them.
bool foreign_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* count = std::getenv(name)) return std::strtoul(count, nullptr, 10) > 1;
  const char* rank = std::getenv("PMIX_RANK");
  return rank != nullptr && std::strtoul(rank, nullptr, 10) > 0;
}

/// $BMSIM_MPI, or the library beside this one; "" if the process is told to be alone.
std::string library_file() {
  if (const char* file = std::getenv("BMSIM_MPI")) return file;
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&library_file), &self) == 0) return "libbmsim_mpi.so";
  return std::filesystem::path(self.dli_fname).parent_path() / "libbmsim_mpi.so";
}

/// Says why nothing happens where MPI waits long for the other processes.
class Wait {
 public:
  Wait() : told_([this] { tell(); }) {}
  ~Wait() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    end_.notify_all();
    told_.join();
  }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

 private:
  void tell() {
    constexpr auto patience = std::chrono::seconds(20);
    std::unique_lock lock(mutex_);
    if (end_.wait_for(lock, patience, [this] { return over_; })) return;
    std::fprintf(stderr,
                 "bmsim: mpi: this process has waited for the others of its job for %d s: all of them must run bmsim "
                 "with a script; to run one alone, set BMSIM_MPI to nothing\n",
                 static_cast<int>(patience.count()));
    std::fflush(stderr);
  }

  std::mutex mutex_;
  std::condition_variable end_;
  bool over_ = false;
  std::thread told_;
};

}  // namespace

World& World::instance() {
  static World world;
  // os.exit of a script unwinds nothing.
  const auto leave = [](int status, void* self) { static_cast<World*>(self)->leave(status); };
  [[maybe_unused]] static const int watched = world.functions_ == nullptr ? 0 : on_exit(leave, &world);
  return world;
}

World::World() {
  const char* variable = launcher_variable();
  const std::string file = library_file();
  if (variable == nullptr || file.empty()) return;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);  // MPI's own plugins look for its symbols
  if (library == nullptr)
    fail_device(
        "mpi: a launcher has started this process ({} is set), but the library for MPI cannot be loaded: {}; build it "
        "from share/bmsim/mpi, or unset the variable for a process of its own",
        variable, dlerror());
  static Functions functions;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr) fail_device("mpi: '{}' has no function {}", file, name);
  };
  int (*version_of)() = nullptr;
  find(version_of, "bmsim_mpi_interface");
  if (version_of() != interface) fail_device("mpi: '{}' belongs to another version of bmsim: build it anew", file);
  find(functions.begin, "bmsim_mpi_begin");
  find(functions.gather, "bmsim_mpi_gather");
  find(functions.all_here, "bmsim_mpi_all_here");
  find(functions.tell, "bmsim_mpi_tell");
  find(functions.hear, "bmsim_mpi_hear");
  find(functions.version, "bmsim_mpi_version");
  find(functions.abort, "bmsim_mpi_abort");
  find(functions.end, "bmsim_mpi_end");
  int rank = 0, size = 1, local_rank = 0, local_size = 1;
  const Wait wait;
  if (functions.begin(&rank, &size, &local_rank, &local_size) != 0) fail_device("mpi: MPI does not start");
  version_ = functions.version();
  version_ = version_.substr(0, version_.find_first_of(",\n"));
  if (size == 1 && foreign_launcher())
    fail_device(
        "mpi: the launcher has started several processes, each of which would be alone, since '{}' is of another MPI, "
        "{}: take that one's launcher, or build the library with the launcher's MPI, from share/bmsim/mpi",
        file, version_);
  functions_ = &functions;
  rank_ = static_cast<unsigned>(rank), size_ = static_cast<unsigned>(size);
  local_rank_ = static_cast<unsigned>(local_rank), local_size_ = static_cast<unsigned>(local_size);
}

World::~World() = default;

std::string World::device_for(const std::string& device, int count) const {
  const bool one_gpu = device == "auto" || device == "cuda", all_gpus = device == "all";
  if (local_size_ == 1 || count < 1 || !(one_gpu || all_gpus)) return device;
  const auto gpus = static_cast<unsigned>(count);
  std::string devices = fmt::format("cuda:{}", local_rank_ % gpus);
  for (unsigned i = local_rank_ + local_size_; all_gpus && i < gpus; i += local_size_)
    devices += fmt::format(",cuda:{}", i);
  return devices;
}

FromRanks World::exchange(std::string own_bytes) {
  if (functions_ == nullptr) {
    const auto bytes = std::make_shared<std::string>(std::move(own_bytes));
    return {{bytes, bytes->data()}, {*bytes}};
  }
  std::vector<uint64_t> counts(size_);
  FromRanks gathered{{functions_->gather(own_bytes.data(), own_bytes.size(), counts.data()),
                      [](const char* bytes) { std::free(const_cast<char*>(bytes)); }},
                     {}};
  if (gathered.bytes == nullptr) fail("mpi: out of memory for the results of all ranks");
  const char* from = gathered.bytes.get();
  for (const uint64_t count : counts) {
    gathered.of.emplace_back(from, count);
    from += count;
  }
  return gathered;
}

FromRanks World::gather(const std::string& purpose, std::string own_bytes) {
  own_bytes += "\n" + purpose;  // at the end, where it moves nothing
  FromRanks gathered = exchange(std::move(own_bytes));
  for (size_t rank = 0; rank < gathered.of.size(); ++rank) {
    std::string_view& bytes = gathered.of[rank];
    const size_t end = bytes.rfind('\n');
    const std::string_view their_purpose = bytes.substr(end + 1);
    if (their_purpose != purpose)
      fail(
          "mpi: rank {} is at '{}' while rank {} is at '{}': a script must do the same on all ranks; the clock, "
          "math.random and files that differ do not",
          rank, their_purpose, rank_, purpose);
    bytes = bytes.substr(0, end);
  }
  return gathered;
}

bool World::all_here() { return functions_ == nullptr || functions_->all_here() != 0; }

const std::vector<Tidings>& World::tidings(const Tidings& own) {
  static_assert(sizeof(Tidings) == 3 * sizeof(double));
  heard_.resize(size_);
  heard_[rank_] = own;
  if (functions_ == nullptr) return heard_;
  if (rank_ > 0)
    functions_->tell(&own.round);
  else
    functions_->hear(&heard_[0].round);
  return heard_;
}

void World::end() {
  if (functions_ == nullptr) return;
  gather("the end of the script", "");
  functions_->end();
  functions_ = nullptr;
}

// The other ranks tell rank 0 that they have kept their work, until it ends them.
void World::wait_until_all_have_kept() {
  constexpr double kept = -1;  // no round has this number
  constexpr auto pause = std::chrono::milliseconds(50), most = std::chrono::milliseconds(30000);
  for (auto left = most; left > pause; left -= pause) {
    if (std::ranges::all_of(tidings({kept, 0, 0}), [](const Tidings& rank) { return rank.round == kept; })) return;
    std::this_thread::sleep_for(pause);
  }
}

void World::abort(int status) {
  if (functions_ != nullptr && status == BM_UNFINISHED) wait_until_all_have_kept();
  if (Functions* functions = std::exchange(functions_, nullptr)) functions->abort(status);  // MPI may call exit
  std::_Exit(status);
}

void World::leave(int status) {
  if (functions_ == nullptr) return;
  std::fflush(stdout);
  try {
    if (status == 0 || size_ == 1) return end();
  } catch (const std::exception& error) {
    if (rank_ == 0) std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    status = BM_ERROR;
  }
  if (rank_ > 0) sleep(4);  // rank 0 speaks for all
  abort(status);
}

}  // namespace bmsim
