// The prompt. Expressions are printed; an incomplete chunk continues on the next line; bmsim/prompt.lua does the rest.
#include "commands.h"

#include <cctype>
#include <string_view>

#include "lines.h"
#include "signals.h"

namespace bmsim::app {
namespace {

bool load(lua_State* lua, std::string_view text) {
  return luaL_loadbuffer(lua, text.data(), text.size(), "=stdin") == 0;
}

// Whether the message on the stack says that the chunk only lacks its end.
bool incomplete(lua_State* lua) { return std::string_view(lua_tostring(lua, -1)).find("'<eof>'") != std::string::npos; }

bool is_space(char c) { return std::string_view(" \t\r\n").find(c) != std::string_view::npos; }
bool in_name(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

void skip_space(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}

// Takes a word of letters, digits and '_' from the beginning; "" if there is none.
std::string_view take_name(std::string_view& text) {
  skip_space(text);
  size_t length = 0;
  while (length < text.size() && in_name(text[length])) ++length;
  const auto name = text.substr(0, length);
  text.remove_prefix(length);
  skip_space(text);
  return name;
}

// Makes `local x = 1` and `local function f()` set variables of the prompt, since a `local` would end with its chunk.
std::string_view without_local(std::string_view text) {
  std::string_view rest = text;
  if (take_name(rest) != "local") return text;
  const std::string_view declared = rest;
  if (take_name(rest) == "function") return declared;
  while (rest.starts_with(',')) {
    rest.remove_prefix(1);
    if (take_name(rest).empty()) return text;
  }
  return rest.starts_with('=') ? declared : text;
}

// Loads `text` as an expression, or else as statements. On failure returns false, with the message on the stack.
bool compile(lua_State* lua, const std::string& text) {
  const auto expression = text[0] == '=' ? text.substr(1) : text;
  if (load(lua, "return " + expression)) return true;
  lua_pop(lua, 1);
  return load(lua, without_local(text));
}

// exit or quit, with or without ().
bool leaves(std::string_view line) {
  const auto word = take_name(line);
  if (word != "exit" && word != "quit") return false;
  if (line.starts_with("()")) line.remove_prefix(2);
  skip_space(line);
  return line.empty();
}

class Prompt {
 public:
  explicit Prompt(LuaHost& host)
      : host_(host), lua_(host.state()), lines_([this](const std::string& line) { return complete(line); }) {
    host.prepare_prompt();
    lua_setfield(lua_, LUA_REGISTRYINDEX, table);
    lua_settop(lua_, 0);
  }

  void run() {
    say(stdout, "bmsim {}. `bm` is the library. help() explains it, {}exit or Ctrl-D leaves.\n", bm_version(),
        lines_.edits() ? "Tab completes names, " : "");
    for (bool open = true; open;) {
      chunk_.clear();
      std::string line;
      const Got got = lines_.read("> ", line);
      if (got == Got::end || (got == Got::line && leaves(line))) return;
      try {
        if (got == Got::line) open = run_chunk(line);
      } catch (const Failure& failure) {
        say(stderr, "{}\n", message(failure.what()));
      }
      if (must_end()) throw Failure("interrupted", BM_INTERRUPTED);
      lua_settop(lua_, 0);
      host_.reset_interrupt();
      if (lines_.edits()) std::clearerr(stdout);  // a signal may have ended a write to the terminal
    }
  }

 private:
  static constexpr const char* table = "bmsim.prompt";  // of bmsim/prompt.lua

  void push_function(const char* name) {
    lua_getfield(lua_, LUA_REGISTRYINDEX, table);
    lua_getfield(lua_, -1, name);
    lua_remove(lua_, -2);
  }

  // Runs one chunk, reading further lines while it is incomplete. Returns false at the end of input.
  bool run_chunk(const std::string& first) {
    chunk_ = first;
    std::string line;
    while (!compile(lua_, chunk_)) {
      if (!incomplete(lua_)) throw Failure(lua_tostring(lua_, -1));
      lua_pop(lua_, 1);
      const Got got = lines_.read(">> ", line);
      if (got == Got::interrupted) return true;
      if (got == Got::end) return false;
      chunk_ += line;
    }
    keep_interruptible(lua_);
    push_function("run");
    lua_insert(lua_, -2);
    host_.call(1);
    return true;
  }

  // Leaves out the place in a chunk of one line, where every mistake is.
  std::string message(const std::string& text) const {
    constexpr std::string_view place = "stdin:1: ";
    const bool one_line = chunk_.find('\n') + 1 >= chunk_.size();
    return one_line && text.starts_with(place) ? text.substr(place.size()) : text;
  }

  Completion complete(const std::string& line) {
    Completion found;
    const int top = lua_gettop(lua_);
    push_function("complete");
    const std::string before = chunk_ + line;
    lua_pushlstring(lua_, before.data(), before.size());
    if (lua_pcall(lua_, 1, 2, 0) == 0 && lua_istable(lua_, -1)) {
      found.typed = static_cast<size_t>(lua_tointeger(lua_, -2));
      for (int i = 1, count = static_cast<int>(lua_objlen(lua_, -1)); i <= count; ++i) {
        lua_rawgeti(lua_, -1, i);
        found.names.emplace_back(lua_tostring(lua_, -1));
        lua_pop(lua_, 1);
      }
    }
    lua_settop(lua_, top);
    return found;
  }

  LuaHost& host_;
  lua_State* lua_;
  std::string chunk_;  // the lines that were read of the current one
  Lines lines_;
};

}  // namespace

void run_prompt(LuaHost& host) { Prompt(host).run(); }

}  // namespace bmsim::app
