// Reads YAML from elsewhere within limits, so that code that walks it needs none; and what a script gets of it.
#pragma once
#include <yaml-cpp/yaml.h>

#include <lua.hpp>
#include <string>
#include <vector>

namespace bmsim::app {

/// Largest size of a file: yaml-cpp takes 250 times as much memory.
constexpr size_t most_yaml_bytes = size_t{1} << 20;

/// Throws Failure, "SUBJECT:LINE: ...", for what is not YAML, for a text that is longer than most_bytes, and for values
/// that are nested more than 64 deep, are more than 100 000 with every alias followed, or hold a zero byte; keys must
/// be texts.
YAML::Node load_yaml(const std::string& text, const std::string& subject, size_t most_bytes = most_yaml_bytes);
/// Loads YAML from a file within these limits. Throws Failure also if it cannot be read.
YAML::Node load_yaml_file(const std::string& file);
/// The text of a file. Of a file that is too long, one byte more than it may have.
std::string read_yaml_file(const std::string& file);

/// Pushes one table. Maps become tables and lists become arrays; numbers and true/false keep their type, everything
/// else is a string. A dot in a -D key descends into a map. Throws Failure with the file and line of bad YAML.
void push_arguments(lua_State* lua, const std::vector<std::string>& params, const std::vector<std::string>& defines);

}  // namespace bmsim::app
