// Loaded plugins and their documentation, on stdout.
#include "plugin_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "failure.h"

namespace bmsim::app {

namespace {

// A copy, because a returned text lives only until the next call.
std::string property(size_t index, const char* key) { return bm_plugin_property(index, key); }

}  // namespace

void list_plugins() {
  size_t width = 0;
  const auto name = [](size_t i) { return property(i, "kind") + "." + property(i, "id"); };
  for (size_t i = 0; i < bm_plugin_count(); ++i) width = std::max(width, name(i).size());
  for (size_t i = 0; i < bm_plugin_count(); ++i) {
    fmt::print("{:<{}}  {:<6}  {}\n", name(i), width, property(i, "version"), property(i, "summary"));
  }
}

void describe_plugin(const std::string& name, bool markdown) {
  const char* text = markdown ? bm_plugin_markdown(name.c_str()) : bm_plugin_describe(name.c_str());
  if (text == nullptr) throw Failure(bm_error());
  std::string_view lines = text;
  while (lines.ends_with('\n')) lines.remove_suffix(1);
  fmt::print("{}\n", lines);
}

void check_plugin(const Session& session, const std::string& name) {
  const auto print = [](void*, const char* line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);  // a check may take seconds
  };
  check(bm_plugin_check(session.get(), name.c_str(), print, nullptr));
}

}  // namespace bmsim::app
