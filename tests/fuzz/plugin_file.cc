// Files of plugins: what is looked at before the system's loader gets a file reads nothing beyond its end.
#include "error.h"
#include "fuzz.h"
#include "plugin/registry.h"

namespace bmsim::fuzz {

void plugin_file(std::string_view input) {
  const std::string file = directory() + "/plugin.so";
  write_file(file, input);
  try {
    check_library_file(file);
  } catch (const Error& error) {
    if (!std::string_view(error.what()).starts_with(file))
      finding(fmt::format("a message without its file: {}", error.what()));
    check_message(error.what(), input);
  }
}

}  // namespace bmsim::fuzz
