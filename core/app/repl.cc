// The prompt. The value of an expression is printed; an incomplete chunk continues on the next line.
#include "repl.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "failure.h"
#include "say.h"
#include "signals.h"

namespace bmsim::app {
namespace {

enum class Line { read, interrupted, end };

Line read_line(const char* prompt, std::string& line) {
  say(stdout, "{}", prompt);
  std::fflush(stdout);
  char* buffer = nullptr;
  size_t capacity = 0;
  errno = 0;
  const auto length = getline(&buffer, &capacity, stdin);
  const bool interrupted = length < 0 && errno == EINTR;
  if (length >= 0) line.assign(buffer, static_cast<size_t>(length));
  std::free(buffer);
  if (length >= 0) return Line::read;
  std::clearerr(stdin);
  say(stdout, "\n");
  return interrupted ? Line::interrupted : Line::end;
}

bool load(lua_State* lua, const std::string& text) {
  return luaL_loadbuffer(lua, text.data(), text.size(), "=stdin") == 0;
}

// Whether the message on the stack says that the chunk only lacks its end.
bool incomplete(lua_State* lua) { return std::string_view(lua_tostring(lua, -1)).find("'<eof>'") != std::string::npos; }

// Loads `text` as an expression, or else as statements. On failure returns false, with the message on the stack.
bool compile(lua_State* lua, const std::string& text) {
  const auto expression = text[0] == '=' ? text.substr(1) : text;
  if (load(lua, "return " + expression)) return true;
  lua_pop(lua, 1);
  return load(lua, text);
}

void print_results(LuaHost& host) {
  lua_State* lua = host.state();
  const int count = lua_gettop(lua);
  if (count == 0) return;
  lua_getglobal(lua, "print");
  lua_insert(lua, 1);
  host.call(count);
}

// Runs one chunk, reading further lines while it is incomplete. Returns false at the end of input.
bool run_chunk(LuaHost& host, std::string text) {
  lua_State* lua = host.state();
  std::string line;
  while (!compile(lua, text)) {
    if (!incomplete(lua)) throw Failure(lua_tostring(lua, -1));
    lua_pop(lua, 1);
    const Line got = read_line(">> ", line);
    if (got == Line::interrupted) throw Failure("interrupted", BM_INTERRUPTED);
    if (got == Line::end) return false;
    text += line;
  }
  keep_interruptible(lua);
  host.call(0);
  print_results(host);
  return true;
}

}  // namespace

void run_prompt(LuaHost& host) {
  host.prepare_prompt();
  say(stdout, "bmsim {}. `bm` is the library; end with Ctrl-D.\n", bm_version());
  std::string line;
  for (bool open = true; open;) {
    const Line got = read_line("> ", line);
    if (got == Line::end) return;
    try {
      if (got == Line::read) open = run_chunk(host, line);
    } catch (const Failure& failure) {
      say(stderr, "{}\n", failure.what());
    }
    if (must_end()) throw Failure("interrupted", BM_INTERRUPTED);
    lua_settop(host.state(), 0);
    host.reset_interrupt();
  }
}

}  // namespace bmsim::app
