#include "options.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "yaml.h"

namespace bmsim::app {
namespace {

// What is recorded, by its key.
constexpr std::pair<const char*, std::string Options::*> recorded_texts[] = {{"script", &Options::script},
                                                                             {"device", &Options::device},
                                                                             {"precision", &Options::precision},
                                                                             {"threads", &Options::threads},
                                                                             {"seed", &Options::seed}};
constexpr std::pair<const char*, std::vector<std::string> Options::*> recorded_lists[] = {
    {"define", &Options::defines},
    {"params", &Options::params},
    {"plugin_path", &Options::plugin_path},
    {"arguments", &Options::arguments}};

std::vector<std::string> absolute_places(const Options& options) {
  std::vector<std::string> places;
  const auto add = [&places](const std::string& list) {
    for (const auto& place : split_path(list)) places.push_back(std::filesystem::absolute(place).string());
  };
  for (const auto& list : options.plugin_path) add(list);
  if (const char* list = std::getenv("BMSIM_PLUGIN_PATH")) add(list);
  return places;
}

}  // namespace

void record_command_line(const Session& session, const Options& options) {
  Options recorded = options;
  for (std::string& params : recorded.params) params = read_yaml_file(params);
  recorded.plugin_path = absolute_places(options);
  YAML::Emitter out;
  out << YAML::BeginMap;
  for (const auto& [key, text] : recorded_texts)
    if (!(recorded.*text).empty()) out << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << recorded.*text;
  for (const auto& [key, list] : recorded_lists) {
    if ((recorded.*list).empty()) continue;
    out << YAML::Key << key << YAML::Value << YAML::BeginSeq;
    for (const std::string& value : recorded.*list) out << YAML::DoubleQuoted << value;
    out << YAML::EndSeq;
  }
  out << YAML::EndMap;
  check(bm_session_record(session.get(), "command_line", out.c_str()));
}

void record_script(bm_session* session, const std::string& text) {
  const bool bytecode = text.starts_with('\x1b');
  if (const size_t zero = text.find('\0'); !bytecode && zero != text.npos)
    throw Failure(fmt::format("bmsim: the script is no text: there is a zero byte in line {}",
                              std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n') + 1));
  check(bm_session_record(session, "script_text", bytecode ? "" : text.c_str()));
}

Options recorded_options(const std::string& yaml, const std::string& file) {
  Options options;
  try {
    constexpr size_t most_bytes = 4 * most_yaml_bytes;  // there may be several files of parameters in it
    const YAML::Node root = load_yaml(yaml, fmt::format("rerun: the command line in '{}'", file), most_bytes);
    if (!root.IsMap()) throw Failure(fmt::format("rerun: the command line in '{}' is damaged", file));
    for (const auto& [key, text] : recorded_texts)
      if (root[key]) options.*text = root[key].as<std::string>();
    for (const auto& [key, list] : recorded_lists)
      if (root[key]) options.*list = root[key].as<std::vector<std::string>>();
  } catch (const YAML::Exception& error) {
    throw Failure(fmt::format("rerun: the command line in '{}' is damaged: {}", file, error.msg));
  }
  return options;
}

}  // namespace bmsim::app
