// YAML from elsewhere, read within limits, so that whoever walks it needs none.
#pragma once
#include <yaml-cpp/yaml.h>

#include <string>

namespace bmsim::app {

/// Throws Failure, "SUBJECT:LINE: ...", for what is not YAML, for a text of more than 4 MiB, and for values that are
/// nested more than 64 deep, are more than 200 000 with every alias followed, or hold a zero byte; keys are texts.
YAML::Node load_yaml(const std::string& text, const std::string& subject);
/// The same for a file; throws Failure if it cannot be read.
YAML::Node load_yaml_file(const std::string& file);
/// The text of a file of at most 4 MiB.
std::string read_yaml_file(const std::string& file);

}  // namespace bmsim::app
