// The skeletons of plugins are embedded by the assembler; @NAME@ in them stands for the plugin's name.
#include "new_plugin.h"

#include <bmsim/bmsim.h>
#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "failure.h"
#include "say.h"

// The labels are global: see compose/kernel_texts.cc.
#define BM_SKELETON(symbol, file)                                                                          \
  __asm__(".pushsection .rodata\n.hidden bm_skeleton_" #symbol "\n.globl bm_skeleton_" #symbol             \
          "\nbm_skeleton_" #symbol ":\n.incbin \"" BMSIM_SKELETONS "/" file "\"\n.byte 0\n.popsection\n"); \
  extern "C" const char symbol##_skeleton[] __asm__("bm_skeleton_" #symbol);

BM_SKELETON(noise, "noise.cc.in")
BM_SKELETON(noise_test, "noise.lua.in")
BM_SKELETON(potential, "potential.cc.in")
BM_SKELETON(potential_test, "potential.lua.in")
BM_SKELETON(several, "potential_several.cc.in")
BM_SKELETON(several_test, "potential_several.lua.in")
BM_SKELETON(drive, "drive.cc.in")
BM_SKELETON(drive_test, "drive.lua.in")
BM_SKELETON(cmake, "CMakeLists.txt.in")

namespace bmsim::app {
namespace {

namespace fs = std::filesystem;

struct Skeleton {
  std::string_view kind, source, test;
};

Skeleton skeleton_of(const std::string& kind, bool several) {
  if (several && kind == "potential") return {kind, several_skeleton, several_test_skeleton};
  if (several)
    throw Failure(fmt::format("bmsim: plugin new: --several is for a potential, got '{}'", kind), BM_USAGE_ERROR);
  const Skeleton skeletons[] = {{"noise", noise_skeleton, noise_test_skeleton},
                                {"potential", potential_skeleton, potential_test_skeleton},
                                {"drive", drive_skeleton, drive_test_skeleton}};
  for (const Skeleton& skeleton : skeletons)
    if (skeleton.kind == kind) return skeleton;
  throw Failure(fmt::format("bmsim: plugin new: the kind must be noise, potential or drive, got '{}'", kind),
                BM_USAGE_ERROR);
}

void check_name(const std::string& name) {
  bool legal = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
  for (const char c : name) legal = legal && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
  if (!legal)
    throw Failure(
        fmt::format("bmsim: plugin new: the name must be an identifier (letters, digits, '_'), got '{}'", name),
        BM_USAGE_ERROR);
}

void write(const fs::path& file, std::string_view skeleton, const std::string& name) {
  constexpr std::string_view place = "@NAME@";
  std::string text(skeleton);
  for (size_t position = 0; (position = text.find(place, position)) != text.npos; position += name.size())
    text.replace(position, place.size(), name);
  if (bm_file_write(nullptr, file.c_str(), text.data(), text.size(), 0) != BM_OK)
    throw Failure(fmt::format("bmsim: plugin new: {}", bm_error()));
}

}  // namespace

void new_plugin(const std::string& kind, bool several, const std::string& name, const std::string& directory) {
  const Skeleton skeleton = skeleton_of(kind, several);
  check_name(name);
  const fs::path folder = fs::path(directory) / name;
  std::error_code error;
  // Nothing is ever written into an existing folder.
  if (!fs::create_directory(folder, error)) {
    const std::string why = error ? error.message() : "it is there already, and nothing is overwritten";
    throw Failure(fmt::format("bmsim: plugin new: cannot make the folder '{}': {}", folder.string(), why));
  }
  write(folder / (name + ".cc"), skeleton.source, name);
  write(folder / "CMakeLists.txt", cmake_skeleton, name);
  write(folder / "test.lua", skeleton.test, name);
  say(stdout,
      "{0}/{1}.cc      the {2}\n{0}/CMakeLists.txt\n{0}/test.lua\n"
      "cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build {0}/build && ctest --test-dir {0}/build\n"
      "builds and tests it, PREFIX being where bmsim is installed\n",
      folder.string(), name, kind);
}

}  // namespace bmsim::app
