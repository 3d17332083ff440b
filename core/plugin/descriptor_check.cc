// The rules of plugin.h, checked on a descriptor field by field; none of the plugin's functions is called here.
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "error.h"
#include "nearest_name.h"
#include "plugin/schema.h"

namespace bmsim {
namespace {

constexpr uint32_t longest_list = 256;  // a larger count, of any list, is that of a damaged descriptor
constexpr uint32_t most_variables = 16;
constexpr uint32_t noise_flags =
    BM_DRIFT | BM_SIGMA | BM_EVENTS | BM_START | BM_EVOLVE | BM_INCREMENT | BM_MODULATES | BM_AVERAGE;

/// Whether there is memory at both ends of a block. Where a damaged pointer leads there is none.
bool readable(const void* first, size_t size) {
  const auto* bytes = static_cast<const char*>(first);
  for (const char* end : {bytes, bytes + std::max<size_t>(size, 1) - 1}) {
    char copy = 0;
    const iovec to{&copy, 1}, from{const_cast<char*>(end), 1};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) < 0 && errno == EFAULT) return false;
  }
  return true;
}

class Checker {
 public:
  Checker(const bm_plugin& descriptor, const std::filesystem::path& file) : d_(descriptor), file_(file.string()) {}

  void check() {
    check_kind();
    check_texts();
    check_counts();
    check_parameters();
    check_members();
    check_lists();
    check_parametrisations();
    check_flags();
    check_functions();
  }

 private:
  /// Throws Error "FILE: FIELD must RULE, got VALUE".
  template <class Value>
  void require(bool holds, std::string_view field, std::string_view rule, const Value& value) const {
    if (!holds) fail("{}: {} must {}, got {}", file_, field, rule, value);
  }
  void require_readable(std::string_view field, const void* first, size_t size) const {
    require(readable(first, size), field, "be in memory", "a pointer to nowhere");
  }
  void require_text(std::string_view field, const char* text) const {
    require(text != nullptr, field, "be a text", "a null pointer");
    require_readable(field, text, 1);
    require(*text != '\0', field, "be a text", "an empty one");
  }
  void require_identifier(std::string_view field, const char* text) const {
    require_text(field, text);
    bool legal = !std::isdigit(static_cast<unsigned char>(*text));
    for (const char* c = text; *c; ++c) legal = legal && (std::isalnum(static_cast<unsigned char>(*c)) || *c == '_');
    require(legal, field, "be an identifier (letters, digits, '_')", fmt::format("'{}'", text));
  }
  template <class Entry> void require_entries(std::string_view field, const Entry* list, uint32_t count) const {
    require(count <= longest_list, fmt::format("{}_count", field), fmt::format("be at most {}", longest_list), count);
    require(list || count == 0, fmt::format("{}s", field), "be given where its count is not 0", "a null pointer");
    if (count > 0) require_readable(fmt::format("{}s", field), list, count * sizeof(Entry));
  }
  /// Names in use, with the kind of thing that has each: names in scripts, or members of the device's P and S.
  using Names = std::map<std::string, std::string>;
  void require_new(Names& names, const char* name, std::string_view what) const {
    const auto [place, is_new] = names.emplace(name, what);
    require(is_new, fmt::format("{} '{}'", what, name), "have a name of its own", "that of a " + place->second);
  }
  void require_scripted(const char* name, std::string_view what) {
    require_new(scripted_, name, what);
    const std::string_view text = name;
    require(text != "name" && text != "modulate", fmt::format("{} '{}'", what, name),
            "have a name that scripts do not use otherwise", fmt::format("'{}'", name));
  }
  void require_meaning(const std::string& field, const char* symbol, const char* unit, const char* doc) const {
    require_text(field + ".symbol", symbol);
    require(unit != nullptr, field + ".unit", "be a text, which may be empty", "a null pointer");
    require_readable(field + ".unit", unit, 1);
    require_text(field + ".doc", doc);
  }
  void require_slot(const std::string& field, uint32_t slot) {
    require(slot < d_.value_count, field + ".slot", fmt::format("be < value_count = {}", d_.value_count), slot);
    require(slots_.insert(slot).second, field + ".slot", "be used once", slot);
  }

  // Throws Error for a newer plugin, which cannot be run as its author meant.
  [[noreturn]] void fail_unknown(std::string_view what) const {
    fail("{}: has {} of plugin ABI {}.{}, and this bmsim knows {}.{}: take a newer bmsim", file_, what, d_.abi_major,
         d_.abi_minor, BM_ABI_MAJOR, BM_ABI_MINOR);
  }

  void check_kind() const {
    if (d_.kind > BM_DRIVE && d_.abi_minor > BM_ABI_MINOR) fail_unknown(fmt::format("the kind {}", d_.kind));
    require(d_.kind >= BM_NOISE && d_.kind <= BM_DRIVE, "kind", "be 1 (noise), 2 (potential) or 3 (drive)", d_.kind);
  }

  void check_texts() const {
    require_identifier("id", d_.id);
    require_text("version", d_.version);
    require_text("summary", d_.summary);
    require_text("equation", d_.equation);
    require(d_.reference != nullptr, "reference", "be a text, which may be empty", "a null pointer");
    require_readable("reference", d_.reference, 1);
    require_text("source", d_.source);
    require_text("source_file", d_.source_file);
  }

  void check_counts() const {
    require_entries("parameter", d_.parameters, d_.parameter_count);
    require_entries("constant", d_.constants, d_.constant_count);
    require_entries("parametrisation", d_.parametrisations, d_.parametrisation_count);
    require_entries("state", d_.states, d_.state_count);
    require_entries("list", d_.lists, d_.list_count);
    require_entries("array", d_.arrays, d_.array_count);
    require(d_.value_count == d_.parameter_count + d_.constant_count, "value_count",
            fmt::format("be parameter_count + constant_count = {}", d_.parameter_count + d_.constant_count),
            d_.value_count);
    require(d_.state_count == 0 || d_.kind == BM_NOISE, "state_count", "be 0 for what is no noise", d_.state_count);
  }

  void check_parameters() {
    for (uint32_t i = 0; i < d_.parameter_count; ++i) {
      const bm_parameter& parameter = d_.parameters[i];
      require_identifier(fmt::format("parameters[{}].name", i), parameter.name);
      require_scripted(parameter.name, "parameter");
      require_new(members_, parameter.name, "parameter");
      const std::string field = fmt::format("parameter '{}'", parameter.name);
      require_meaning(field, parameter.symbol, parameter.unit, parameter.doc);
      require_slot(field, parameter.slot);
      check_bounds(field, parameter);
      if (parameter.choices) check_choice(field, parameter);
    }
  }

  void check_members() {
    for (uint32_t i = 0; i < d_.constant_count; ++i) {
      require_identifier(fmt::format("constants[{}].name", i), d_.constants[i].name);
      require_new(members_, d_.constants[i].name, "constant");
      require_slot(fmt::format("constant '{}'", d_.constants[i].name), d_.constants[i].slot);
    }
    for (uint32_t i = 0; i < d_.array_count; ++i) {
      require_identifier(fmt::format("arrays[{}].name", i), d_.arrays[i].name);
      require_new(members_, d_.arrays[i].name, "array");
      require(d_.arrays[i].gathered <= 1, fmt::format("array '{}'.gathered", d_.arrays[i].name), "be 0 or 1",
              d_.arrays[i].gathered);
    }
    for (uint32_t i = 0; i < d_.state_count; ++i) {
      require_identifier(fmt::format("states[{}]", i), d_.states[i]);
      require_new(members_, d_.states[i], "state");
    }
  }

  // A list may have the name of the array that is made of it: the device does not see lists.
  void check_lists() {
    for (uint32_t i = 0; i < d_.list_count; ++i) {
      const bm_list& list = d_.lists[i];
      require_identifier(fmt::format("lists[{}].name", i), list.name);
      require_scripted(list.name, "list");
      const std::string field = fmt::format("list '{}'", list.name);
      require_meaning(field, list.symbol, list.unit, list.doc);
      require(list.most > 0, field + ".most", "be > 0", list.most);
      require(list.least <= list.most, field + ".least", fmt::format("be <= most = {}", list.most), list.least);
    }
  }

  void check_choice(const std::string& field, const bm_parameter& parameter) const {
    require_readable(field + ".choices", parameter.choices, 1);
    const std::vector<std::string> words = choice_words(parameter);
    require(words.size() >= 2, field + ".choices", "be two words or more", fmt::format("'{}'", parameter.choices));
    std::set<std::string> different;
    for (const std::string& word : words)
      require(different.insert(word).second, field + ".choices", "differ", fmt::format("'{}' twice", word));
    require(parameter.value < static_cast<double>(words.size()) && parameter.value == std::floor(parameter.value) &&
                parameter.value >= 0,
            field + ".value", fmt::format("be the index of one of its {} words", words.size()), parameter.value);
  }

  void check_bounds(const std::string& field, const bm_parameter& p) const {
    require((p.bound & ~uint32_t{BM_LOWER_OPEN | BM_UPPER_OPEN}) == 0, field + ".bound",
            "be of BM_LOWER_OPEN, BM_UPPER_OPEN", p.bound);
    require(p.lower <= p.upper, field + ".lower", fmt::format("be <= upper = {}", p.upper), p.lower);
    require(std::isfinite(p.value), field + ".value", "be finite", p.value);
    const bool above = p.bound & BM_LOWER_OPEN ? p.value > p.lower : p.value >= p.lower;
    const bool below = p.bound & BM_UPPER_OPEN ? p.value < p.upper : p.value <= p.upper;
    require(above && below, field + ".value",
            fmt::format("lie within its bounds {}{}, {}{}", p.bound & BM_LOWER_OPEN ? '(' : '[', p.lower, p.upper,
                        p.bound & BM_UPPER_OPEN ? ')' : ']'),
            p.value);
  }

  void check_parametrisations() const {
    std::set<std::set<std::string>> name_sets;
    for (uint32_t i = 0; i < d_.parametrisation_count; ++i) {
      const std::string field = fmt::format("parametrisations[{}]", i);
      require_text(field + ".names", d_.parametrisations[i].names);
      require_text(field + ".doc", d_.parametrisations[i].doc);
      std::set<std::string> names;
      for (const std::string& name : words_in(d_.parametrisations[i].names)) {
        const auto found = members_.find(name);
        require(found != members_.end() && found->second == "parameter", field + ".names", "name parameters",
                fmt::format("'{}'", name));
        const auto is_it = [&](const bm_parameter& parameter) { return parameter.name == name && parameter.choices; };
        require(std::none_of(d_.parameters, d_.parameters + d_.parameter_count, is_it), field + ".names",
                "not name choices", fmt::format("'{}'", name));
        require(names.insert(name).second, field + ".names", "name each parameter once",
                fmt::format("'{}' twice", name));
      }
      require(!names.empty(), field + ".names", "name a parameter", "only blanks");
      require(name_sets.insert(names).second, field + ".names", "differ from the others",
              fmt::format("'{}' twice", d_.parametrisations[i].names));
    }
  }

  void check_flags() const {
    const uint32_t legal = d_.kind == BM_NOISE       ? noise_flags
                           : d_.kind == BM_POTENTIAL ? uint32_t{BM_SMOOTH | BM_SEVERAL}
                                                     : uint32_t{BM_EDGES};
    if (d_.flags & ~legal && d_.abi_minor > BM_ABI_MINOR) fail_unknown(fmt::format("flags {:#x}", d_.flags & ~legal));
    if (d_.flags & ~legal)
      fail("{}: flags must be within {:#x} for a {}, got {:#x}", file_, legal, kind_name(d_.kind), d_.flags);
    if (d_.kind == BM_NOISE) check_noise_flags();
  }

  void check_noise_flags() const {
    const auto has = [this](uint32_t flags) { return (d_.flags & flags) != 0; };
    const auto allow = [this](bool holds, std::string_view rule) {
      require(holds, "flags", rule, fmt::format("{:#x}", d_.flags));
    };
    allow(has(BM_DRIFT | BM_SIGMA | BM_EVENTS | BM_INCREMENT),
          "have one of BM_DRIFT, BM_SIGMA, BM_EVENTS, BM_INCREMENT for a noise");
    allow(!has(BM_START) || d_.state_count > 0, "not have BM_START for a noise without states");
    allow(!has(BM_EVOLVE) || d_.state_count > 0, "not have BM_EVOLVE for a noise without states");
    allow(!has(BM_EVOLVE) || has(BM_DRIFT), "have BM_DRIFT with BM_EVOLVE");
    allow(!has(BM_EVOLVE) || !has(BM_EVENTS), "not have BM_EVENTS with BM_EVOLVE");
    allow(!has(BM_AVERAGE) || has(BM_EVOLVE), "have BM_EVOLVE with BM_AVERAGE");
    allow(!has(BM_INCREMENT) || !has(BM_EVENTS),
          "not have BM_EVENTS with BM_INCREMENT");  // they would share random numbers
    allow(!has(BM_MODULATES) || has(BM_DRIFT), "have BM_DRIFT with BM_MODULATES");
    allow(!has(BM_MODULATES) || !has(BM_SIGMA | BM_INCREMENT), "not have BM_SIGMA or BM_INCREMENT with BM_MODULATES");
  }

  void check_functions() const {
    const auto need = [this](bool holds, std::string_view function, std::string_view where) {
      require(holds, function, fmt::format("be given {}", where), "a null pointer");
    };
    need(d_.derive || d_.constant_count + d_.parametrisation_count == 0, "derive",
         "where there are constants or parametrisations");
    need(d_.derive || d_.array || d_.list_count == 0, "derive or array", "where there are lists");
    need(d_.array || d_.array_count == 0, "array", "where there are arrays");
    require(!d_.array || d_.array_count > 0, "array", "be null where there are no arrays", "a function");
    need(d_.time_scale || d_.kind != BM_DRIVE, "time_scale", "for a drive");
    const bool several = (d_.flags & BM_SEVERAL) != 0;
    need(d_.force || d_.kind == BM_NOISE || several, "force", "for a potential and for a drive");
    need(d_.energy || d_.kind != BM_POTENTIAL || several, "energy", "for a potential");
    need(d_.energy_of || !several, "energy_of", "with BM_SEVERAL");
    need(d_.force_of || !several, "force_of", "with BM_SEVERAL");
    require(several ? d_.variable_count >= 2 && d_.variable_count <= most_variables : d_.variable_count == 0,
            "variable_count",
            several ? fmt::format("be 2 to {} with BM_SEVERAL", most_variables) : "be 0 for one variable",
            d_.variable_count);
    need(d_.period || !d_.segments, "period", "where segments is: they tile one period");
    const auto only = [this](bool holds, std::string_view function, std::string_view rule) {
      require(holds, function, rule, "a function");
    };
    const bool potential = d_.kind == BM_POTENTIAL;
    const bool noise = d_.kind == BM_NOISE;
    only(!d_.force || !noise, "force", "be null for a noise");
    only(!d_.energy || potential, "energy", "be null for what is no potential");
    only(!several || !d_.energy, "energy", "be null with BM_SEVERAL");
    only(!several || !d_.force, "force", "be null with BM_SEVERAL");
    only(several || !d_.energy_of, "energy_of", "be null without BM_SEVERAL");
    only(several || !d_.force_of, "force_of", "be null without BM_SEVERAL");
    only(!several || !d_.segments, "segments", "be null with BM_SEVERAL");
    only(!d_.period || potential, "period", "be null for what is no potential");
    only(!d_.segments || potential, "segments", "be null for what is no potential");
    only(!d_.mean || noise, "mean", "be null for what is no noise");
    only(!d_.intensity || noise, "intensity", "be null for what is no noise");
  }

  const bm_plugin& d_;
  std::string file_;
  Names scripted_, members_;
  std::set<uint32_t> slots_;
};

}  // namespace

bm_plugin known_part(const bm_plugin& descriptor, const std::filesystem::path& path) {
  const std::string file = path.string();
  // Checked before the other fields, which may lie elsewhere in another version.
  if (descriptor.magic != BM_PLUGIN_MAGIC)
    fail("{}: magic must be {:#x}, got {:#x}: is no bmsim plugin", file, BM_PLUGIN_MAGIC, descriptor.magic);
  if (descriptor.abi_major != BM_ABI_MAJOR)
    fail("{}: plugin ABI must be {}.x, got {}.{}: build the plugin with this bmsim's headers", file, BM_ABI_MAJOR,
         descriptor.abi_major, descriptor.abi_minor);
  // After the first fields every 8 bytes hold a pointer, or a count and its padding.
  constexpr size_t least = offsetof(bm_plugin, extension), place = alignof(bm_plugin);
  if (descriptor.size < least || descriptor.size % place != 0)
    fail("{}: size must be a multiple of {} and at least {}, got {}", file, place, least, descriptor.size);
  bm_plugin known{};
  std::memcpy(&known, &descriptor, std::min<size_t>(descriptor.size, sizeof known));
  return known;
}

void check_descriptor(const bm_plugin& descriptor, const std::filesystem::path& file) {
  Checker(descriptor, file).check();
}

}  // namespace bmsim
