// YAML from elsewhere, read within limits, so that whoever walks it needs none.
#pragma once
#include <yaml-cpp/yaml.h>

#include <string>

namespace bmsim::app {

/// Of a file: yaml-cpp takes 250 times the memory.
constexpr size_t most_yaml_bytes = size_t{1} << 20;

/// Throws Failure, "SUBJECT:LINE: ...", for what is not YAML, for a text that is longer than that, and for values that
/// are nested more than 64 deep, are more than 100 000 with every alias followed, or hold a zero byte; keys are texts.
YAML::Node load_yaml(const std::string& text, const std::string& subject, size_t most_bytes = most_yaml_bytes);
/// The same for a file; throws Failure if it cannot be read.
YAML::Node load_yaml_file(const std::string& file);
/// The text of a file, or the first bytes of a longer one, one more than it may have.
std::string read_yaml_file(const std::string& file);

}  // namespace bmsim::app
