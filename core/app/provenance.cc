#include "provenance.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "failure.h"
#include "yaml.h"

namespace bmsim::app {
namespace {

void emit_list(YAML::Emitter& out, const char* key, const std::vector<std::string>& values) {
  if (values.empty()) return;
  out << YAML::Key << key << YAML::Value << YAML::BeginSeq;
  for (const auto& value : values) out << YAML::DoubleQuoted << value;
  out << YAML::EndSeq;
}

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
  YAML::Emitter out;
  out << YAML::BeginMap;
  const std::pair<const char*, const std::string&> texts[] = {{"script", options.script},
                                                              {"device", options.device},
                                                              {"precision", options.precision},
                                                              {"threads", options.threads},
                                                              {"seed", options.seed}};
  for (const auto& [key, text] : texts)
    if (!text.empty()) out << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << text;
  emit_list(out, "define", options.defines);
  std::vector<std::string> params;
  for (const auto& file : options.params) params.push_back(read_yaml_file(file));
  emit_list(out, "params", params);
  emit_list(out, "plugin_path", absolute_places(options));
  emit_list(out, "arguments", options.arguments);
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
    const auto text = [&](const char* key, std::string& value) {
      if (root[key]) value = root[key].as<std::string>();
    };
    const auto list = [&](const char* key, std::vector<std::string>& values) {
      if (root[key]) values = root[key].as<std::vector<std::string>>();
    };
    text("script", options.script);
    text("device", options.device);
    text("precision", options.precision);
    text("threads", options.threads);
    text("seed", options.seed);
    list("define", options.defines);
    list("params", options.params);
    list("plugin_path", options.plugin_path);
    list("arguments", options.arguments);
  } catch (const YAML::Exception& error) {
    throw Failure(fmt::format("rerun: the command line in '{}' is damaged: {}", file, error.msg));
  }
  return options;
}

}  // namespace bmsim::app
