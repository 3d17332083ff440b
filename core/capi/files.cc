// Files: results written, and files of results shown, exported and compared.
#include <chrono>
#include <filesystem>

#include "capi/objects.h"
#include "files/temporary_directory.h"
#include "output/netcdf.h"

using namespace bmsim;
namespace fs = std::filesystem;

namespace {

std::string now() {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const std::time_t time = std::chrono::system_clock::to_time_t(seconds);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

Dataset dataset_of(const bm_result& result) {
  Dataset data{result.sweep.axes(), result.table, result.sweep.names().size(), {}, result.arrays, {}};
  for (const Column& column : data.table.columns) {
    data.meanings.push_back(meaning_of(result.plan, column.name));
  }
  return data;
}

/// "x, y"
std::string variable_names(const Model& model) {
  std::string names;
  for (const ModelVariable& one : model.variables()) names += (names.empty() ? "" : ", ") + one.name;
  return names;
}

/// The texts that only netCDF files have.
std::vector<std::pair<std::string, std::string>> texts_of(const bm_result& result) {
  std::string components;
  const Model& model = result.plan.model;
  for (const Component& component : model.components()) {
    const uint32_t kind = (*component.plugin)->kind;
    if (kind == amplitude_kind || kind == observed_kind) continue;
    components += (components.empty() ? "" : ", ") + component.plugin->full_name();
  }
  const std::string dynamics = model.is_system()     ? "Langevin equations of " + variable_names(model)
                               : model.underdamped() ? "underdamped Langevin dynamics"
                                                     : "overdamped Langevin dynamics";
  std::vector<std::pair<std::string, std::string>> texts = {
      {"title", fmt::format("{}: {}", dynamics, components)},
      {"history", fmt::format("{} bmsim {}{}{}", now(), bm_version(), result.script.empty() ? "" : " ", result.script)},
      {"bmsim", bm_version()}};
  std::string info;
  for (const auto& [key, value] : result.info) info += fmt::format("{}: {}\n", key, value);
  texts.emplace_back("info", info);
  for (const auto& [key, value] : result.session->records()) texts.emplace_back(key, value);
  return texts;
}

/// The name itself, or the first of NAME.2.csv, NAME.3.csv, ... that there is not.
std::string unused_name(const fs::path& file) {
  fs::path other = file;
  std::error_code error;
  for (int n = 2; fs::exists(fs::symlink_status(other, error)); ++n)
    other.replace_filename(fmt::format("{}.{}{}", file.stem().string(), n, file.extension().string()));
  return other.string();
}

bool can_be_made(const std::string& file) {
  try {
    check_output(file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Where else a result can be kept that cannot have this name: beside it, or in the current directory; "" for nowhere.
std::string other_place(const fs::path& file) {
  for (const fs::path& candidate : {file, file.filename()})
    if (const std::string other = unused_name(candidate); can_be_made(other)) return other;
  return "";
}

/// Writes what must not be lost: where `check` throws Error it is written to another place, which the Error says.
template <class Check, class Write>
void write_or_keep(const std::string& file, Existing existing, Check&& check, Write&& write) {
  try {
    check();
  } catch (const Error& error) {
    const std::string other = other_place(file);
    if (other.empty()) throw;
    write(other, Existing::refuse);
    throw Error(fmt::format("{}; what was to be in it is in '{}'", error.what(), other));
  }
  write(file, existing);
}

void write_all_of(const bm_result& result, const std::string& file, Existing existing) {
  const std::string place = result.session->place_of(file);
  if (!is_netcdf(file)) return write_table(result.table, place, existing);
  Dataset data = dataset_of(result);
  data.texts = texts_of(result);
  data.texts.emplace_back("file", file);
  write_netcdf(data, place, existing);
}

/// One of the texts that bm_result_text_* give.
const std::pair<std::string, std::string>* text_at(bm_result& result, size_t index) {
  if (result.texts.empty()) {
    result.texts = texts_of(result);
    result.texts.emplace_back("manifest", result.table.header);
  }
  return index < result.texts.size() ? &result.texts[index] : nullptr;
}

}  // namespace

namespace bmsim {

void write_result(const bm_result& result, const std::string& file) {
  const Session& session = *result.session;
  write_or_keep(
      file, session.existing(result.overwrite), [&] { check_output(session.place_of(file)); },
      [&](const std::string& name, Existing existing) { write_all_of(result, name, existing); });
}

}  // namespace bmsim

struct bm_directory {
  TemporaryDirectory directory;
};

extern "C" {

bm_directory* bm_directory_new(const char* purpose) {
  return guarded_pointer([&] { return new bm_directory{{temporary_place(), purpose}}; });
}
const char* bm_directory_path(const bm_directory* directory) { return directory->directory.path().c_str(); }
void bm_directory_free(bm_directory* directory) { delete directory; }

bm_status bm_file_check(const char* file) {
  return guarded([&] { check_new_file("output", file); });
}
bm_status bm_file_write(const bm_session* session, const char* file, const char* bytes, size_t length, int replace) {
  return guarded([&] {
    NewFile fresh("output", session_of(session)->place_of(file));
    fresh.write({bytes, length});
    fresh.publish_or_keep(replace != 0 ? Existing::replace : Existing::refuse);
  });
}

bm_status bm_output_check(const bm_session* session, const char* file) {
  return guarded([&] { session_of(session)->check_output_file(file, false); });
}

const char* bm_result_text_name(bm_result* result, size_t index) {
  return guarded_pointer([&]() -> const char* {
    const auto* text = text_at(*result, index);
    return text != nullptr ? text->first.c_str() : nullptr;
  });
}
const char* bm_result_text_value(bm_result* result, size_t index) {
  return guarded_pointer([&]() -> const char* {
    const auto* text = text_at(*result, index);
    return text != nullptr ? text->second.c_str() : nullptr;
  });
}

bm_status bm_result_write(bm_result* result, const char* file) {
  return guarded([&] {
    const Session& session = *result->session;
    const auto check = [&] { session.check_output_file(file, result->overwrite); };
    if (result->dry) return check();
    write_or_keep(file, session.existing(result->overwrite), check,
                  [&](const std::string& name, Existing existing) { write_all_of(*result, name, existing); });
  });
}

bm_status bm_result_write_array(bm_result* result, const char* file, const char* array) {
  return guarded([&] {
    if (is_netcdf(file)) fail("output: a file .nc has all arrays: one alone goes to .csv or .tsv, got '{}'", file);
    const Session& session = *result->session;
    const auto check = [&] { session.check_output_file(file, result->overwrite); };
    if (result->dry) return check();
    const Table table = long_form(dataset_of(*result), array);
    write_or_keep(file, session.existing(result->overwrite), check, [&](const std::string& name, Existing existing) {
      write_table(table, session.place_of(name), existing);
    });
  });
}

const char* bm_file_show(const char* file) {
  thread_local std::string text;
  return guarded_pointer([&] {
    text = show_text(read_netcdf(file));
    return text.c_str();
  });
}

const char* bm_file_csv(const char* file) {
  thread_local std::string text;
  return guarded_pointer([&] {
    text.clear();
    write_text(printable_table(read_netcdf(file)), ',', [](std::string_view more) { text += more; });
    return text.c_str();
  });
}

bm_status bm_file_export(const bm_session* session, const char* file, const char* table) {
  return guarded([&] {
    if (is_netcdf(table)) fail("output: a table needs the suffix .csv or .tsv, got '{}'", table);
    check_output(table);
    const Existing existing = session_of(session)->existing(false);
    if (existing == Existing::refuse) check_absent(table, "--overwrite");
    write_table(printable_table(read_netcdf(file)), table, existing);
  });
}

const char* bm_file_text(const char* file, const char* name) {
  thread_local std::string text;
  return guarded_pointer([&] {
    const Dataset data = read_netcdf_texts(file);
    text = std::string_view(name) == "manifest" ? data.table.header : data.text(name);
    return text.c_str();
  });
}

bm_status bm_file_compare(const char* file, const char* other, size_t* numbers) {
  return guarded([&] {
    const Difference found = compare(read_netcdf(file), read_netcdf(other));
    *numbers = found.numbers;
    if (found.different > 0)
      fail("{} of {} numbers differ, the largest difference is {:.6g} in '{}'", found.different, found.numbers,
           found.largest, found.where);
  });
}

}  // extern "C"
