#include "file_commands.h"

#include <fmt/format.h>

#include "failure.h"
#include "say.h"

namespace bmsim::app {

void show_file(const std::string& file, bool script) {
  const char* text = script ? bm_file_text(file.c_str(), "script_text") : bm_file_show(file.c_str());
  if (text == nullptr) throw Failure(fmt::format("show: {}", bm_error()));
  if (script && *text == '\0') throw Failure(fmt::format("show: '{}' holds no script", file));
  say(stdout, "{}", script ? printable(text) : text);
}

void show_checkpoint(const std::string& directory) {
  const char* text = bm_checkpoint_show(directory.c_str());
  if (text == nullptr) throw Failure(bm_error());
  say(stdout, "{}", text);
}

void show_cache(bool clear) {
  const char* text = clear ? bm_cache_clear() : bm_cache_show();
  if (text == nullptr) throw Failure(bm_error(), bm_last_status());
  say(stdout, "{}", text);
}

void export_file(const Session& session, const std::string& file, const std::string& table) {
  if (!table.empty()) {
    if (bm_file_export(session.get(), file.c_str(), table.c_str()) != BM_OK)
      throw Failure(fmt::format("export: {}", bm_error()));
    return;
  }
  const char* text = bm_file_csv(file.c_str());
  if (text == nullptr) throw Failure(fmt::format("export: {}", bm_error()));
  say(stdout, "{}", text);
}

}  // namespace bmsim::app
