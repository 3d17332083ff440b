// Versions, errors, plugins.
#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "backend/warn.h"
#include "capi/objects.h"
#include "check/check.h"
#include "model/formula_plugin.h"
#include "nearest_name.h"
#include "printable.h"

namespace bmsim {

namespace {

/// All plugins, and an example of each kind of component that a script can write as a formula.
std::vector<const Plugin*> all_plugins() {
  std::vector<const Plugin*> plugins = Registry::instance().plugins();
  const std::string of_x[] = {"L", "V0"}, of_t[] = {"A", "omega"};
  plugins.push_back(&formula_plugin(BM_POTENTIAL, "V0*sin(2*pi*x/L)", of_x));
  plugins.push_back(&formula_plugin(BM_DRIVE, "A*cos(omega*t)", of_t));
  std::stable_sort(plugins.begin(), plugins.end(),
                   [](const Plugin* a, const Plugin* b) { return (*a)->kind < (*b)->kind; });
  return plugins;
}

/// "2.1"; lives until the next call in this thread.
const char* abi_of(const Plugin& plugin) {
  thread_local std::string text;
  text = fmt::format("{}.{}", plugin->abi_major, plugin->abi_minor);
  return text.c_str();
}

bool is_file(std::string_view name) { return name.find('/') != name.npos || name.ends_with(".so"); }

/// The plugins that a name or a library file stands for: one, or for "formula" both examples.
std::vector<const Plugin*> named(const std::string& name) {
  std::vector<const Plugin*> found;
  for (const Plugin* plugin : all_plugins())
    if (plugin->file().empty() && (plugin->full_name() == name || (*plugin)->id == name)) found.push_back(plugin);
  Registry& registry = Registry::instance();
  if (found.empty()) found.push_back(is_file(name) ? &registry.load(name) : &registry.find(name));
  return found;
}

/// The texts of all plugins of this name, one after the other.
template <class Text> std::string text_of(const std::string& name, Text make_text) {
  std::string text;
  for (const Plugin* plugin : named(name)) text += (text.empty() ? "" : "\n") + make_text(*plugin);
  return printable_lines(text);
}

thread_local std::string last_error;
thread_local bm_status last_status = BM_OK;

}  // namespace

void set_failure(const char* message, bm_status status) noexcept {
  try {
    last_error = printable_lines(message);
  } catch (...) {
    last_error.clear();
  }
  last_status = status;
}

}  // namespace bmsim

using namespace bmsim;

extern "C" {

const char* bm_version() { return BMSIM_VERSION; }
const char* bm_error() { return last_error.c_str(); }
bm_status bm_last_status() { return last_status; }

const char* bm_nearest_name(const char* name, const char* const* known, size_t count) {
  const char* nearest =
      guarded_text([&] { return nearest_name(name, std::vector<std::string>(known, known + count)); });
  return nearest != nullptr ? nearest : "";
}

const char* bm_printable(const char* text) {
  return guarded_text([&] { return printable_lines(text); });
}

const char* bm_declarations() {
  extern const char bmsim_header[] __asm__("bm_header_text");
  static const std::string text = [] {
    std::string declarations = bmsim_header;
    declarations.erase(0, declarations.find("typedef enum bm_status"));
    declarations.erase(declarations.find("#pragma GCC visibility pop"));
    return declarations;
  }();
  return text.c_str();
}
// The label is global: see compose/kernel_texts.cc.
__asm__(".pushsection .rodata\n.hidden bm_header_text\n.globl bm_header_text\nbm_header_text:\n.incbin \"" BMSIM_HEADER
        "\"\n.byte 0\n.popsection\n");

bm_status bm_plugin_load(const char* file) {
  return guarded([&] { Registry::instance().load(file); });
}
bm_status bm_plugin_load_directory(const char* directory) {
  return guarded([&] { Registry::instance().load_directory(directory); });
}
const char* bm_plugin_directory() {
  return guarded_text([&] {
    Dl_info library{};
    if (dladdr(reinterpret_cast<const void*>(&bm_plugin_directory), &library) == 0 || library.dli_fname == nullptr)
      fail("plugin: the library's own place is not known");
    return (std::filesystem::canonical(library.dli_fname).parent_path() / "bmsim" / "plugins").string();
  });
}
size_t bm_plugin_count() {
  size_t count = 0;
  guarded([&] { count = all_plugins().size(); });
  return count;
}

const char* bm_plugin_property(size_t index, const char* key) {
  return guarded_pointer([&]() -> const char* {
    const auto plugins = all_plugins();
    if (index >= plugins.size()) fail("plugin: there are {}, got index {}", plugins.size(), index);
    const Plugin& plugin = *plugins[index];
    const std::string_view name = key;
    if (name == "kind") return kind_name(plugin->kind).data();
    if (name == "id") return plugin->id;
    if (name == "version") return plugin->version;
    if (name == "summary") return plugin->summary;
    if (name == "abi") return abi_of(plugin);
    if (name == "file") return plugin.file().empty() ? "built in" : plugin.file().c_str();
    fail("plugin: unknown property '{}'; known: kind, id, version, summary, abi, file", name);
  });
}

const char* bm_plugin_describe(const char* name) {
  return guarded_text([&] { return text_of(name, describe); });
}

const char* bm_plugin_markdown(const char* name) {
  return guarded_text([&] { return text_of(name, markdown); });
}

bm_status bm_plugin_check(bm_session* session, const char* name, bm_line_callback report, void* user) {
  return guarded([&] {
    const auto shared = session_of(session);
    const WarningScope warnings([&](const std::string& text) { shared->warn(text); });
    const Interruptible heard(*shared, "plugin check");
    size_t problems = 0;
    const auto tell = [&](const Finding& finding) {
      if (finding.verdict == Verdict::problem) ++problems;
      report(user, printable_lines(line_of(finding)).c_str());
    };
    const auto find_plugin = [&]() -> const Plugin* {
      if (!is_file(name)) return &Registry::instance().find(name);
      try {
        return &Registry::instance().load(name);
      } catch (const Error& error) {
        tell({"descriptor", Verdict::problem, error.what()});
        return nullptr;
      }
    };
    if (const Plugin* plugin = find_plugin()) check_plugin(*plugin, {shared->overridden({}).threads}, tell);
    if (problems > 0) fail("{}: {} problem{}", name, problems, problems == 1 ? "" : "s");
  });
}

}  // extern "C"
