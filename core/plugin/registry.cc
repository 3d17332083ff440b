#include "plugin/registry.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "error.h"
#include "nearest_name.h"
#include "plugin/schema.h"

namespace bmsim {
namespace {

namespace fs = std::filesystem;

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

/// The loader's last message without the file's name, with which our own message begins.
std::string loader_error(const fs::path& file) {
  const char* text = dlerror();
  std::string message = text ? text : "unknown error";
  const std::string prefix = file.string() + ": ";
  if (message.starts_with(prefix)) message.erase(0, prefix.size());
  while (!message.empty() && message.back() == '\n') message.pop_back();
  return message;
}

/// A plugin of a library, with the part of its descriptor that this host knows.
class LoadedPlugin : public Plugin {
 public:
  LoadedPlugin(const bm_plugin& known, fs::path file) : Plugin(&known_, std::move(file)), known_(known) {}

 private:
  bm_plugin known_;
};

fs::path existing_file(const fs::path& file) {
  std::error_code error;
  fs::path path = fs::canonical(file, error);
  if (error) fail("{}: cannot be loaded: {}", file.string(), error.message());
  if (!fs::is_regular_file(path, error)) fail("{}: cannot be loaded: not a file", file.string());
  return path;
}

bool before(const Plugin& a, const Plugin& b) {
  return std::pair(a->kind, std::string_view(a->id)) < std::pair(b->kind, std::string_view(b->id));
}

/// "; did you mean 'poisson'? (known: dichotomous, gaussian, poisson)"
std::string listed(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return (nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)) +
         (known.empty() ? " (none is loaded)" : fmt::format(" (known: {})", fmt::join(known, ", ")));
}

}  // namespace

void check_library_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  ElfW(Ehdr) header;
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) return;
  std::memcpy(&header, bytes.data(), sizeof header);
  constexpr unsigned char ours = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (header.e_ident[EI_CLASS] != ours || header.e_type != ET_DYN) return;
  const auto is_inside = [&](uint64_t from, uint64_t size) {
    return from <= bytes.size() && size <= bytes.size() - from;
  };
  bool whole = is_inside(header.e_phoff, uint64_t{header.e_phnum} * sizeof(ElfW(Phdr)));
  for (size_t i = 0; whole && i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    whole = is_inside(segment.p_offset, segment.p_filesz);
  }
  if (!whole) fail("{}: cannot be loaded: it is damaged: it ends too early", file.string());
}

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

const Plugin& Registry::load(const fs::path& file) {
  const fs::path path = existing_file(file);
  const std::lock_guard lock(mutex_);
  for (const auto& plugin : plugins_)
    if (plugin->file() == path) return *plugin;

  check_library_file(path);
  Library library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library) fail("{}: cannot be loaded: {}", path.string(), loader_error(path));
  const auto* descriptor = static_cast<const bm_plugin*>(dlsym(library.get(), BM_PLUGIN_SYMBOL));
  if (!descriptor) fail("{}: is no bmsim plugin: {}", path.string(), loader_error(path));
  if (const auto found = loaded_.find(descriptor); found != loaded_.end())
    return *found->second;  // a hard link to a library that is loaded
  const bm_plugin known = known_part(*descriptor, path);
  check_descriptor(known, path);

  std::unique_ptr<Plugin> plugin = std::make_unique<LoadedPlugin>(known, path);
  const auto place = std::lower_bound(plugins_.begin(), plugins_.end(), plugin,
                                      [](const auto& a, const auto& b) { return before(*a, *b); });
  if (place != plugins_.end() && !before(*plugin, **place))
    fail("{}: id '{}' is taken by {}", path.string(), plugin->full_name(), (*place)->file().string());
  const auto inserted = plugins_.insert(place, std::move(plugin));
  loaded_.emplace(descriptor, inserted->get());
  // Loaded for the life of the process: models, kernels and messages point into the descriptor.
  static_cast<void>(library.release());
  return **inserted;
}

void Registry::load_directory(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> files;
  if (!fs::exists(directory, error)) return;
  for (const auto& entry : fs::directory_iterator(directory, error))
    if (entry.path().extension() == ".so") files.push_back(entry.path());
  if (error) fail("{}: cannot be read: {}", directory.string(), error.message());
  std::ranges::sort(files);
  for (const fs::path& file : files) load(file);
}

std::vector<const Plugin*> Registry::plugins() const {
  const std::lock_guard lock(mutex_);
  std::vector<const Plugin*> pointers;
  for (const auto& plugin : plugins_) pointers.push_back(plugin.get());
  return pointers;
}

const Plugin& Registry::adopt(std::unique_ptr<Plugin> plugin) {
  const std::lock_guard lock(mutex_);
  adopted_.push_back(std::move(plugin));
  return *adopted_.back();
}

const Plugin& Registry::find(uint32_t kind, std::string_view id) const {
  std::vector<std::string> known;
  for (const Plugin* plugin : plugins()) {
    if ((*plugin)->kind != kind) continue;
    if ((*plugin)->id == id) return *plugin;
    known.emplace_back((*plugin)->id);
  }
  const std::string_view formula = "formula";
  if (kind != BM_NOISE && id == formula) fail("{}.formula is made from a formula: it is no plugin", kind_name(kind));
  if (kind != BM_NOISE) known.insert(std::upper_bound(known.begin(), known.end(), formula), std::string(formula));
  fail("unknown {} '{}'{}", kind_name(kind), id, listed(id, known));
}

const Plugin& Registry::find(std::string_view name) const {
  if (const auto dot = name.find('.'); dot != name.npos)
    return find(kind_of(name.substr(0, dot)), name.substr(dot + 1));
  const Plugin* found = nullptr;
  std::vector<std::string> known;
  for (const Plugin* plugin : plugins()) {
    known.emplace_back((*plugin)->id);
    if ((*plugin)->id != name) continue;
    if (found) fail("'{}' is the name of two plugins: say {} or {}", name, found->full_name(), plugin->full_name());
    found = plugin;
  }
  if (!found) fail("unknown plugin '{}'{}", name, listed(name, known));
  return *found;
}

}  // namespace bmsim
