#include "yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>

#include <charconv>
#include <filesystem>
#include <fstream>

#include "failure.h"

namespace bmsim::app {
namespace {

constexpr size_t most_values = 100'000;
constexpr unsigned most_depth = 64;
constexpr const char* too_deep = "values must be nested at most 64 deep";

/// Walks all values once. Aliases are followed, as code that reads the values follows them.
class Check {
 public:
  explicit Check(const std::string& subject) : subject_(subject) {}

  void value(const YAML::Node& node, unsigned depth) {
    if (++values_ > most_values)
      refuse(node, fmt::format("there must be at most {} values, aliases followed", most_values));
    if (depth > most_depth) refuse(node, too_deep);
    if (node.IsScalar()) return text(node);
    if (!node.IsMap() && !node.IsSequence()) return;
    for (const auto& entry : node) {
      if (node.IsSequence()) {
        value(entry, depth + 1);
        continue;
      }
      if (!entry.first.IsScalar()) refuse(entry.first.IsNull() ? node : entry.first, "keys must be texts");
      text(entry.first);
      value(entry.second, depth + 1);
    }
  }

 private:
  void text(const YAML::Node& node) {
    if (node.Scalar().find('\0') != std::string::npos) refuse(node, "a text must not have a zero byte");
  }
  [[noreturn]] void refuse(const YAML::Node& node, const std::string& why) {
    throw Failure(fmt::format("{}:{}: {}", subject_, node.Mark().line + 1, why));
  }

  const std::string& subject_;
  size_t values_ = 0;
};

// bm.args from YAML files and -D options. Later ones win; maps are merged.

void push_scalar(lua_State* lua, const std::string& text) {
  const size_t sign = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  const bool numeric = text.find_first_of("0123456789.", sign) == sign;  // not +-1, nor nan(1)
  const char* begin = text.data() + (sign == 1 && text[0] == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  double number = 0;
  const auto parsed = std::from_chars(begin, end, number);
  if (numeric && parsed.ec == std::errc() && parsed.ptr == end) return lua_pushnumber(lua, number);
  if (text == "true" || text == "false") return lua_pushboolean(lua, text == "true" ? 1 : 0);
  lua_pushlstring(lua, text.data(), text.size());
}

// Makes room for another level of a table. No protected call surrounds this: it must not fail in Lua. load_yaml and
// parse_options limit the levels, so that it does not.
void make_room(lua_State* lua) {
  if (lua_checkstack(lua, 8) == 0) throw Failure("bmsim: parameters are nested too deep");
}

void push_node(lua_State* lua, const YAML::Node& node);

void push_list(lua_State* lua, const YAML::Node& list) {
  lua_createtable(lua, static_cast<int>(list.size()), 0);
  int index = 0;
  for (const auto& item : list) {
    push_node(lua, item);
    lua_rawseti(lua, -2, ++index);
  }
}

// Sets the keys of a map in the table on top of the stack.
void merge_map(lua_State* lua, const YAML::Node& map) {
  for (const auto& entry : map) {
    const auto key = entry.first.as<std::string>();
    lua_getfield(lua, -1, key.c_str());
    if (entry.second.IsMap() && lua_istable(lua, -1)) {
      merge_map(lua, entry.second);
      lua_pop(lua, 1);
    } else {
      lua_pop(lua, 1);
      push_node(lua, entry.second);
      lua_setfield(lua, -2, key.c_str());
    }
  }
}

void push_node(lua_State* lua, const YAML::Node& node) {
  make_room(lua);
  if (node.IsMap()) {
    lua_newtable(lua);
    merge_map(lua, node);
  } else if (node.IsSequence()) {
    push_list(lua, node);
  } else if (node.IsScalar() && node.Tag() == "!") {  // quoted: a string whatever it looks like
    lua_pushlstring(lua, node.Scalar().data(), node.Scalar().size());
  } else if (node.IsScalar()) {
    push_scalar(lua, node.Scalar());
  } else {
    lua_pushnil(lua);
  }
}

void merge_file(lua_State* lua, const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(status)) throw Failure(fmt::format("--params: '{}' is a directory", file));
  if (!std::filesystem::exists(status)) throw Failure(fmt::format("--params: no such file: {}", file));
  if (!std::filesystem::is_regular_file(status)) throw Failure(fmt::format("--params: '{}' is no regular file", file));
  const YAML::Node root = load_yaml_file(file);
  if (root.IsNull()) return;
  if (!root.IsMap()) throw Failure(fmt::format("{}:1: must be a map of parameters, as in 'paths: 1024'", file));
  merge_map(lua, root);
}

// Sets "a.b" = value as args.a.b.
void set_define(lua_State* lua, const std::string& define) {
  const auto equals = define.find('=');
  const auto key = define.substr(0, equals);
  const int top = lua_gettop(lua);
  lua_pushvalue(lua, -1);
  size_t start = 0;
  for (size_t dot = key.find('.'); dot != std::string::npos; start = dot + 1, dot = key.find('.', start)) {
    make_room(lua);
    const auto part = key.substr(start, dot - start);
    lua_getfield(lua, -1, part.c_str());
    if (lua_istable(lua, -1)) continue;
    lua_pop(lua, 1);
    lua_newtable(lua);
    lua_pushvalue(lua, -1);
    lua_setfield(lua, -3, part.c_str());
  }
  push_scalar(lua, define.substr(equals + 1));
  lua_setfield(lua, -2, key.c_str() + start);
  lua_settop(lua, top);
}

}  // namespace

YAML::Node load_yaml(const std::string& text, const std::string& subject, size_t most_bytes) {
  if (text.size() > most_bytes) throw Failure(fmt::format("{}: has more than {} MiB", subject, most_bytes >> 20));
  try {
    YAML::Node root = YAML::Load(text);
    Check(subject).value(root, 0);
    return root;
  } catch (const YAML::DeepRecursion& error) {
    throw Failure(fmt::format("{}:{}: {}", subject, error.mark.line + 1, too_deep));
  } catch (const YAML::Exception& error) {
    throw Failure(fmt::format("{}:{}: {}", subject, error.mark.line + 1, error.msg));
  }
}

std::string read_yaml_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(most_yaml_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || !in.is_open()) throw Failure(fmt::format("{}: cannot be read", file));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

YAML::Node load_yaml_file(const std::string& file) { return load_yaml(read_yaml_file(file), file); }

void push_arguments(lua_State* lua, const std::vector<std::string>& params, const std::vector<std::string>& defines) {
  lua_newtable(lua);
  for (const auto& file : params) merge_file(lua, file);
  for (const auto& define : defines) set_define(lua, define);
}

}  // namespace bmsim::app
