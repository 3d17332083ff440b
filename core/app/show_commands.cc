// Commands that print something: pages of the reference, files of runs, what bmsim keeps.
#include "commands.h"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

namespace bmsim::app {
namespace {

namespace fs = std::filesystem;

// A path as a URL: characters other than letters, digits and "/-._~" become %XX.
std::string url_of(const fs::path& file) {
  constexpr std::string_view marks = "/-._~";
  std::string url = "file://";
  for (const char c : file.string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 128 && (std::isalnum(byte) != 0 || marks.find(c) != marks.npos);
    url += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return url;
}

}  // namespace

void show_help(LuaHost& host, const std::string& name) {
  lua_State* lua = host.state();
  lua_getglobal(lua, "require");
  lua_pushliteral(lua, "bmsim.help");
  host.call(1);
  lua_settop(lua, 1);
  lua_pushlstring(lua, name.data(), name.size());
  host.call(1);
}

void show_docs(const Install& install) {
  const fs::path data = install.lua.parent_path().parent_path();  // PREFIX/share
  std::error_code error;
  const fs::path pages = fs::canonical(data / "doc" / "bmsim", error);
  if (error || !fs::exists(pages / "reference" / "functions" / "index.md"))
    throw Failure(fmt::format("docs: the pages are missing: no doc/bmsim/reference in {}", data.string()));
  for (const fs::path& site : {pages / "site", data.parent_path() / "docs" / "site"}) {
    if (!fs::exists(site / "index.html")) continue;
    say(stdout, "site       {}\n", url_of(site / "index.html"));
    break;
  }
  say(stdout, "pages      {}\n", url_of(pages / "index.md"));
  say(stdout, "reference  {}\n", url_of(pages / "reference"));
  say(stdout, "terminal   bmsim help, bmsim help NAME\n");
}

void show_file(const std::string& file, bool script) {
  const char* text = script ? bm_file_text(file.c_str(), "script_text") : bm_file_show(file.c_str());
  if (text == nullptr) throw Failure(fmt::format("show: {}", bm_error()));
  if (script && *text == '\0') throw Failure(fmt::format("show: '{}' holds no script", file));
  say(stdout, "{}", script ? printable(text) : text);
}

void show_checkpoint(const std::string& directory) {
  const char* text = bm_checkpoint_show(directory.c_str());
  if (text == nullptr) throw Failure(bm_error());
  say(stdout, "{}", text);
}

void show_cache(bool clear) {
  const char* text = clear ? bm_cache_clear() : bm_cache_show();
  if (text == nullptr) throw Failure(bm_error(), bm_last_status());
  say(stdout, "{}", text);
}

void export_file(const Session& session, const std::string& file, const std::string& table) {
  if (!table.empty()) {
    if (bm_file_export(session.get(), file.c_str(), table.c_str()) != BM_OK)
      throw Failure(fmt::format("export: {}", bm_error()));
    return;
  }
  const char* text = bm_file_csv(file.c_str());
  if (text == nullptr) throw Failure(fmt::format("export: {}", bm_error()));
  say(stdout, "{}", text);
}

}  // namespace bmsim::app
