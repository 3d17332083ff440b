// Loading plugins: what is accepted, and in which words each broken rule is refused.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <elf.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "../unit/message_of.h"
#include "plugin/schema.h"

using namespace bmsim;
using bmsim::test::message_of;
namespace fs = std::filesystem;

namespace {

const fs::path probes = BMSIM_PROBE_DIR;
const fs::path shipped = BMSIM_PLUGIN_BUILD_DIR;

struct Case {
  const char* name;
  const char* message;
};

constexpr Case cases[] = {
    {"magic", "magic must be 0x4d534d42, got 0x1: is no bmsim plugin"},
    {"major", "plugin ABI must be 2.x, got 3.3: build the plugin with this bmsim's headers"},
    {"size", "size must be a multiple of 8 and at least 248, got 8"},
    {"size_odd", "size must be a multiple of 8 and at least 248, got 276"},
    {"kind_newer", "has the kind 9 of plugin ABI 2.4, and this bmsim knows 2.3: take a newer bmsim"},
    {"flags_newer", "has flags 0x100000 of plugin ABI 2.4, and this bmsim knows 2.3: take a newer bmsim"},
    {"kind", "kind must be 1 (noise), 2 (potential) or 3 (drive), got 9"},
    {"id_illegal", "id must be an identifier (letters, digits, '_'), got '9 lives'"},
    {"id_null", "id must be a text, got a null pointer"},
    {"id_nowhere", "id must be in memory, got a pointer to nowhere"},
    {"list_nowhere", "parameters must be in memory, got a pointer to nowhere"},
    {"choices_nowhere", "parameter 'law'.choices must be in memory, got a pointer to nowhere"},
    {"summary_empty", "summary must be a text, got an empty one"},
    {"reference_null", "reference must be a text, which may be empty, got a null pointer"},
    {"source_empty", "source must be a text, got an empty one"},
    {"list_null", "parameters must be given where its count is not 0, got a null pointer"},
    {"count_huge", "constant_count must be at most 256, got 4000000000"},
    {"value_count", "value_count must be parameter_count + constant_count = 4, got 5"},
    {"name_twice", "parameter 'rate' must have a name of its own, got that of a parameter"},
    {"name_of_constant", "constant 'size' must have a name of its own, got that of a parameter"},
    {"name_of_state", "state 'rate' must have a name of its own, got that of a parameter"},
    {"unit_null", "parameter 'rate'.unit must be a text, which may be empty, got a null pointer"},
    {"slot_far", "parameter 'size'.slot must be < value_count = 4, got 4"},
    {"slot_twice", "constant 'inverse'.slot must be used once, got 0"},
    {"bounds_crossed", "parameter 'size'.lower must be <= upper = 2, got 3"},
    {"bounds_nan", "parameter 'size'.lower must be <= upper = 2, got nan"},
    {"bound_flags", "parameter 'size'.bound must be of BM_LOWER_OPEN, BM_UPPER_OPEN, got 4"},
    {"default_outside", "parameter 'size'.value must lie within its bounds [0, 2], got 2.5"},
    {"default_on_open", "parameter 'rate'.value must lie within its bounds (0, inf], got 0"},
    {"default_nan", "parameter 'rate'.value must be finite, got nan"},
    {"set_unknown", "parametrisations[1].names must name parameters, got 'colour'"},
    {"set_blank", "parametrisations[1].names must name a parameter, got only blanks"},
    {"set_twice", "parametrisations[1].names must differ from the others, got 'rate' twice"},
    {"set_repeats", "parametrisations[1].names must name each parameter once, got 'size' twice"},
    {"set_of_choice", "parametrisations[1].names must not name choices, got 'law'"},
    {"name_reserved", "parameter 'modulate' must have a name that scripts do not use otherwise, got 'modulate'"},
    {"choice_single", "parameter 'law'.choices must be two words or more, got 'slow'"},
    {"choice_twice", "parameter 'law'.choices must differ, got 'slow' twice"},
    {"choice_far", "parameter 'law'.value must be the index of one of its 2 words, got 2"},
    {"choice_between", "parameter 'law'.value must be the index of one of its 2 words, got 0.5"},
    {"lists_null", "lists must be given where its count is not 0, got a null pointer"},
    {"list_name_null", "lists[0].name must be a text, got a null pointer"},
    {"list_name_taken", "list 'size' must have a name of its own, got that of a parameter"},
    {"list_name_reserved", "list 'name' must have a name that scripts do not use otherwise, got 'name'"},
    {"list_symbol_null", "list 'steps'.symbol must be a text, got a null pointer"},
    {"list_unit_null", "list 'steps'.unit must be a text, which may be empty, got a null pointer"},
    {"list_doc_empty", "list 'steps'.doc must be a text, got an empty one"},
    {"list_never", "list 'steps'.most must be > 0, got 0"},
    {"list_lengths", "list 'steps'.least must be <= most = 4, got 5"},
    {"list_unread", "derive or array must be given where there are lists, got a null pointer"},
    {"arrays_null", "arrays must be given where its count is not 0, got a null pointer"},
    {"array_name_taken", "array 'inverse' must have a name of its own, got that of a constant"},
    {"array_gathered", "array 'steps'.gathered must be 0 or 1, got 2"},
    {"array_null", "array must be given where there are arrays, got a null pointer"},
    {"array_idle", "array must be null where there are no arrays, got a function"},
    {"flags_unknown", "flags must be within 0x1fe for a noise, got 0x100000"},
    {"drive_smooth", "flags must be within 0x200 for a drive, got 0x1"},
    {"flags_of_potential", "flags must be within 0x1fe for a noise, got 0x3"},
    {"noise_idle", "flags must have one of BM_DRIFT, BM_SIGMA, BM_EVENTS, BM_INCREMENT for a noise, got 0x10"},
    {"start_stateless", "flags must not have BM_START for a noise without states, got 0x12"},
    {"evolve_stateless", "flags must not have BM_EVOLVE for a noise without states, got 0x22"},
    {"evolve_driftless", "flags must have BM_DRIFT with BM_EVOLVE, got 0x24"},
    {"average_static", "flags must have BM_EVOLVE with BM_AVERAGE, got 0x102"},
    {"evolve_events", "flags must not have BM_EVENTS with BM_EVOLVE, got 0x2a"},
    {"increment_events", "flags must not have BM_EVENTS with BM_INCREMENT, got 0x4a"},
    {"modulates_driftless", "flags must have BM_DRIFT with BM_MODULATES, got 0x88"},
    {"modulates_white", "flags must not have BM_SIGMA or BM_INCREMENT with BM_MODULATES, got 0x86"},
    {"modulates_increment", "flags must not have BM_SIGMA or BM_INCREMENT with BM_MODULATES, got 0xc2"},
    {"potential_states", "state_count must be 0 for what is no noise, got 1"},
    {"potential_forceless", "force must be given for a potential and for a drive, got a null pointer"},
    {"drive_timeless", "time_scale must be given for a drive, got a null pointer"},
    {"noise_period", "period must be null for what is no potential, got a function"},
    {"noise_force", "force must be null for a noise, got a function"},
    {"drive_mean", "mean must be null for what is no noise, got a function"},
    {"potential_intensity", "intensity must be null for what is no noise, got a function"},
    {"derive_null", "derive must be given where there are constants or parametrisations, got a null pointer"},
};

}  // namespace

TEST_CASE("Registry: every broken rule is refused, naming file, field, rule and value") {
  for (const Case& one : cases) {
    CAPTURE(one.name);
    Registry registry;
    const fs::path file = probes / "bad" / (std::string(one.name) + ".so");
    const std::string message = message_of([&] { registry.load(file); });
    CHECK_MESSAGE(message.starts_with(fs::canonical(file).string() + ": " + one.message), message);
    CHECK(registry.plugins().empty());
  }
}

TEST_CASE("Registry: every bad plugin that is built has its message tested") {
  size_t built = 0;
  for (const auto& entry : fs::directory_iterator(probes / "bad"))
    if (entry.path().extension() == ".so") ++built;
  CHECK(built == std::size(cases));
}

TEST_CASE("Registry: a library that is no plugin says what it lacks") {
  Registry registry;
  Dl_info standard{};
  REQUIRE(dladdr(reinterpret_cast<const void*>(&std::terminate), &standard) != 0);
  const fs::path file = fs::canonical(standard.dli_fname);
  const std::string message = message_of([&] { registry.load(file); });
  CHECK_MESSAGE(message.starts_with(file.string() + ": is no bmsim plugin: "), message);
  CHECK_MESSAGE(message.ends_with("undefined symbol: bm_plugin_descriptor"), message);
}

TEST_CASE("Registry: what is no library says so in the loader's words") {
  Registry registry;
  const fs::path text = fs::path(BMSIM_PROBE_DIR) / "not_a_library.so";
  std::ofstream(text) << "not a library\n";
  const std::string message = message_of([&] { registry.load(text); });
  CHECK_MESSAGE(message.starts_with(fs::canonical(text).string() + ": cannot be loaded: "), message);
  CHECK(message.find(text.string(), 1) == message.npos);
  CHECK(message_of([&] { registry.load("/no/such.so"); }) ==
        "/no/such.so: cannot be loaded: No such file or directory");
  CHECK(message_of([&] { registry.load(probes); }) == probes.string() + ": cannot be loaded: not a file");
}

namespace {

/// A copy of a plugin's bytes, to be damaged and loaded.
struct Damaged {
  std::string bytes = [] {
    std::ifstream in(probes / "good" / "probe.so", std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  }();
  Elf64_Ehdr& header() { return *reinterpret_cast<Elf64_Ehdr*>(bytes.data()); }
  Elf64_Phdr& segment(uint32_t type) {
    auto* found = reinterpret_cast<Elf64_Phdr*>(bytes.data() + header().e_phoff);
    while (found->p_type != type) ++found;
    return *found;
  }
  /// How many of the bytes are loaded: what is for debuggers follows them.
  size_t loaded() {
    const auto* segments = reinterpret_cast<const Elf64_Phdr*>(bytes.data() + header().e_phoff);
    size_t end = 0;
    for (int i = 0; i < header().e_phnum; ++i)
      if (segments[i].p_type == PT_LOAD) end = std::max<size_t>(end, segments[i].p_offset + segments[i].p_filesz);
    return end;
  }
  /// What is said after "cannot be loaded: ".
  std::string message() const {
    const fs::path file = probes / "damaged.so";
    std::ofstream(file, std::ios::binary) << bytes;
    Registry registry;
    const std::string all = message_of([&] { registry.load(file); });
    const std::string beginning = fs::canonical(file).string() + ": cannot be loaded: ";
    CHECK_MESSAGE(all.starts_with(beginning), all);
    fs::remove(file);
    return all.substr(std::min(all.size(), beginning.size()));
  }
};

template <class Damage> std::string message_after(Damage damage) {
  Damaged copy;
  damage(copy);
  return copy.message();
}

}  // namespace

// The system's loader would end the process.
TEST_CASE("Registry: a damaged library is refused") {
  const size_t size = Damaged().loaded();
  for (size_t part = 0; part < 16; ++part)
    CHECK(message_after([&](Damaged& copy) { copy.bytes.resize(size * part / 16); }) != "");
  const std::string damaged = "it is damaged: ";
  CHECK(message_after([](Damaged& copy) { copy.header().e_phoff = ~0ULL; }) == damaged + "it ends too early");
  CHECK(message_after([](Damaged& copy) { copy.segment(PT_LOAD).p_filesz = 1 << 30; }) ==
        damaged + "it ends too early");
}

TEST_CASE("Registry: a plugin of an older or a newer minor version loads, and is what it is in today's") {
  Registry today;
  const Plugin& ours = today.load(shipped / "noise_poisson.so");
  const Given given{{"D", 2}, {"a", 1.5}};
  const std::vector<double> values = resolve(ours, given, {}, {}, "poisson").values;
  for (const auto& [age, minor] : {std::pair("older", 1), std::pair("newer", BM_ABI_MINOR + 1)}) {
    const fs::path file = probes / "grown" / (std::string(age) + ".so");
    CAPTURE(file.string());
    Registry registry;
    const Plugin& plugin = registry.load(file);
    CHECK(plugin->abi_minor == minor);
    CHECK((plugin->size < sizeof(bm_plugin)) == (minor < BM_ABI_MINOR));
    CHECK((plugin->size > sizeof(bm_plugin)) == (minor > BM_ABI_MINOR));
    CHECK((std::string_view(plugin->source) == ours->source) == (minor > BM_ABI_MINOR));
    CHECK(static_cast<bool>(plugin->extension) == (minor > BM_ABI_MINOR));
    CHECK(resolve(plugin, given, {}, {}, "poisson").values == values);
    CHECK(plugin.mean(values.data()) == ours.mean(values.data()));
    CHECK(&registry.load(file) == &plugin);
  }
}

TEST_CASE("Registry: extensions are asked for by name, and none is an answer") {
  Registry registry;
  const Plugin& plugin = registry.load(probes / "good" / "extended.so");
  REQUIRE(plugin.extension("test.answer/1") != nullptr);
  CHECK(*static_cast<const int*>(plugin.extension("test.answer/1")) == 42);
  CHECK(plugin.extension("test.answer/2") == nullptr);
  CHECK(registry.load(probes / "good" / "probe.so").extension("test.answer/1") == nullptr);
}

TEST_CASE("Registry: an id taken twice names both files") {
  Registry registry;
  const fs::path first = probes / "good" / "probe.so";
  const fs::path second = probes / "twin" / "probe_twin.so";
  registry.load(first);
  const std::string message = message_of([&] { registry.load(second); });
  CHECK(message == fmt::format("{}: id 'noise.probe' is taken by {}", fs::canonical(second).string(),
                               fs::canonical(first).string()));
  CHECK(registry.plugins().size() == 1);
}

TEST_CASE("Registry: loading a file again, by another path or through a link, does nothing") {
  Registry registry;
  const fs::path file = probes / "good" / "probe.so";
  const fs::path link = probes / "link_to_probe.so";
  fs::remove(link);
  fs::create_symlink(file, link);
  const Plugin& plugin = registry.load(file);
  CHECK(&registry.load(file) == &plugin);
  CHECK(&registry.load(probes / "good" / ".." / "good" / "probe.so") == &plugin);
  CHECK(&registry.load(link) == &plugin);
  fs::remove(link);
  fs::create_hard_link(file, link);
  CHECK(&registry.load(link) == &plugin);
  fs::remove(link);
  CHECK(registry.plugins().size() == 1);
}

TEST_CASE("Registry: a directory is loaded in name order, one that does not exist is empty") {
  Registry registry;
  registry.load_directory(probes / "nowhere");
  CHECK(registry.plugins().empty());
  registry.load_directory(probes / "good");
  std::vector<std::string> names;
  for (const auto& plugin : registry.plugins()) names.push_back(plugin->full_name());
  CHECK(names == std::vector<std::string>{"noise.chooses", "noise.extended", "noise.forgets", "noise.holes",
                                          "noise.increments", "noise.lies", "noise.probe", "noise.refuses",
                                          "noise.tabulated", "noise.timeless"});
}

TEST_CASE("Registry: a plugin is found by id or full name, a misspelt one names the nearest and the known") {
  Registry registry;
  registry.load_directory(probes / "good");
  CHECK(registry.find("probe").full_name() == "noise.probe");
  CHECK(registry.find("noise.probe").full_name() == "noise.probe");
  CHECK(registry.find(BM_NOISE, "probe")->kind == BM_NOISE);
  CHECK(message_of([&] { registry.find("noise.prob"); }) ==
        "unknown noise 'prob'; did you mean 'probe'? (known: chooses, extended, forgets, holes, increments, lies, "
        "probe, refuses, "
        "tabulated, timeless)");
  CHECK(message_of([&] { registry.find("xyz"); }) ==
        "unknown plugin 'xyz' (known: chooses, extended, forgets, holes, increments, lies, probe, refuses, tabulated, "
        "timeless)");
  CHECK(message_of([&] { registry.find(BM_DRIVE, "probe"); }) == "unknown drive 'probe' (known: formula)");
  CHECK(message_of([&] { registry.find("sound.probe"); }) ==
        "plugin kind must be noise, potential or drive, got 'sound'");
}

TEST_CASE("Registry: a plugin carries the text of its file") {
  Registry registry;
  const Plugin& poisson = registry.load(shipped / "noise_poisson.so");
  CHECK(std::string_view(poisson->source).starts_with("// White Poissonian noise"));
  CHECK(std::string_view(poisson->source).ends_with("#endif\n"));
  CHECK(fs::path(poisson->source_file).filename() == "poisson.cc");
}
