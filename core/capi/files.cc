// Files: results written, and files of results shown, exported and compared.
#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "backend/backend.h"
#include "capi/objects.h"
#include "files/temporary.h"
#include "output/dataset.h"

using namespace bmsim;
namespace fs = std::filesystem;

namespace {

/// A result without its arrays, which may be large.
Dataset without_arrays(const bm_result& result) {
  Dataset data{result.sweep.axes(), result.table, result.sweep.names().size(), {}, {}, {}};
  for (const Column& column : data.table.columns) data.meanings.push_back(meaning_of(result.plan, column.name));
  return data;
}

Dataset dataset_of(const bm_result& result) {
  Dataset data = without_arrays(result);
  data.arrays = result.arrays;
  return data;
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
  std::vector<std::string> names;
  for (const ModelVariable& variable : model.variables()) names.push_back(variable.name);
  const std::string dynamics = model.is_system()     ? fmt::format("Langevin equations of {}", fmt::join(names, ", "))
                               : model.underdamped() ? "underdamped Langevin dynamics"
                                                     : "overdamped Langevin dynamics";
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const std::string& label = result.plan.options.label;
  const std::string described = fmt::format("{}: {}", dynamics, components);
  std::vector<std::pair<std::string, std::string>> texts = {
      {"title", label.empty() ? described : fmt::format("{} ({})", label, described)},
      {"history", fmt::format("{:%Y-%m-%dT%H:%M:%SZ} bmsim {}{}{}", fmt::gmtime(now), bm_version(),
                              result.script.empty() ? "" : " ", result.script)},
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

/// Whether a name is in a directory of the system's devices or processes, in which no files can be made.
bool among_devices(const fs::path& file) {
  std::error_code error;
  const std::string directory = fs::absolute(file, error).lexically_normal().parent_path();
  return directory == "/dev" || directory.starts_with("/dev/fd") || (directory + "/").starts_with("/proc/");
}

/// Places for what cannot be in `file`: beside it, in the current directory, or in the directory for temporary files.
std::vector<fs::path> other_places(const fs::path& file) {
  std::vector<fs::path> places = {file, file.filename()};
  if (among_devices(file)) places.erase(places.begin());
  try {
    places.push_back(temporary_place() / file.filename());
  } catch (const Error&) {
  }
  return places;
}

/// Writes to the first of the other places that allows it, with the first of these suffixes that can be written.
/// Returns the names of the files that write(name, existing) has made: "'motor.csv', 'motor.density.csv'"; "" if none.
template <class Write>
std::string keep(const fs::path& file, const std::vector<std::string>& suffixes, const Write& write) {
  for (const std::string& suffix : suffixes)
    for (fs::path place : other_places(file)) try {
        const std::vector<std::string> names = write(unused_name(place.replace_extension(suffix)), Existing::refuse);
        return fmt::format("'{}'", fmt::join(names, "', '"));
      } catch (const KeptElsewhere&) {
        throw;
      } catch (const Error&) {
        continue;
      }
  return "";
}

/// Writes what must not be lost. If that fails it is kept elsewhere: the Error says where, and so does `kept`.
template <class Check, class Write>
void write_or_keep(const fs::path& file, Existing existing, std::vector<std::string> suffixes, std::string& kept,
                   const Check& check, const Write& write) {
  try {
    check();
    write(file.string(), existing);
  } catch (const KeptElsewhere&) {
    throw;
  } catch (const Error& error) {
    const auto own_suffix = std::ranges::find(suffixes, file.extension().string());
    if (own_suffix != suffixes.end()) std::rotate(suffixes.begin(), own_suffix, own_suffix + 1);
    kept = keep(file, suffixes, write);
    throw Error(kept.empty() ? error.what() : fmt::format("{}; what was to be in it is in {}", error.what(), kept));
  }
}

/// Writes a result and returns the names of its files. arrays: where the table cannot have arrays, each gets a file.
std::vector<std::string> write_all_of(const bm_result& result, const std::string& file, Existing existing,
                                      bool arrays) {
  const Session& session = *result.session;
  const std::string place = session.place_of(file);
  std::vector<std::string> written = {file};
  if (!is_netcdf(file)) write_table(result.table, place, existing);
  if (!is_netcdf(file) && !arrays) return written;
  if (is_netcdf(file)) {
    Dataset data = without_arrays(result);
    data.texts = texts_of(result);
    data.texts.emplace_back("file", file);
    const unsigned threads = session.overridden({}).threads;
    write_netcdf(data, result.arrays, place, existing, threads > 0 ? threads : available_cores());
    return written;
  }
  const Dataset data = dataset_of(result);
  for (const Array& array : data.arrays) {
    if (array.name.ends_with("_err")) continue;
    const fs::path name = fs::path(file).replace_extension(array.name + fs::path(file).extension().string());
    written.push_back(unused_name(name));
    write_table(long_form(data, array.name), session.place_of(written.back()), existing);
  }
  return written;
}

/// Writes a result to a file, or keeps all of it elsewhere.
template <class Check> void write_result(const bm_result& result, const fs::path& file, const Check& check) {
  write_or_keep(file, result.session->existing(result.overwrite), {".nc", ".csv", ".tsv"}, result.kept, check,
                [&](const std::string& name, Existing existing) {
                  return write_all_of(result, name, existing, fs::path(name).extension() != file.extension());
                });
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
  ::write_result(result, file, [&] { check_output(result.session->place_of(file)); });
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
  return guarded([&] { check_new_file("output", file, Streams::allow); });
}
bm_status bm_file_write(const bm_session* session, const char* file, const char* bytes, size_t length, int replace) {
  return guarded([&] {
    NewFile fresh("output", session_of(session)->place_of(file), Streams::allow);
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
    const auto check = [&] { result->session->check_output_file(file, result->overwrite); };
    if (result->dry) return check();
    ::write_result(*result, file, check);
  });
}

bm_status bm_result_write_array(bm_result* result, const char* file, const char* array) {
  return guarded([&] {
    const Session& session = *result->session;
    const auto check = [&] {
      if (is_netcdf(file)) fail("output: a file .nc has all arrays: one alone goes to .csv or .tsv, got '{}'", file);
      session.check_output_file(file, result->overwrite);
    };
    if (result->dry) return check();
    const Table table = long_form(dataset_of(*result), array);
    std::string kept;
    write_or_keep(file, session.existing(result->overwrite), {".csv", ".tsv"}, kept, check,
                  [&](const std::string& name, Existing existing) {
                    write_table(table, session.place_of(name), existing);
                    return std::vector{name};
                  });
  });
}

const char* bm_result_keep(bm_result* result, const char* file) {
  return guarded_text([&] {
    std::string text = result->kept;  // it may be large: one copy is enough
    if (text.empty())
      text = keep(file, {".nc", ".csv"}, [&](const std::string& name, Existing existing) {
        return write_all_of(*result, name, existing, true);
      });
    if (text.empty()) fail("output: cannot write '{}' anywhere", file);
    return text;
  });
}

const char* bm_file_show(const char* file) {
  return guarded_text([&] { return show_text(read_netcdf(file)); });
}

const char* bm_file_csv(const char* file) {
  return guarded_text([&] {
    std::string text;
    write_text(printable_table(read_netcdf(file)), ',', [&](std::string_view piece) { text += piece; });
    return text;
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
  return guarded_text([&] {
    const Dataset data = read_netcdf_texts(file);
    return std::string_view(name) == "manifest" ? data.table.header : data.text(name);
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
