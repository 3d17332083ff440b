#include "yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>

#include <fstream>
#include <system_error>

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

}  // namespace bmsim::app
