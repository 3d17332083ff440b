#include "help_commands.h"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "failure.h"
#include "say.h"

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

}  // namespace bmsim::app
