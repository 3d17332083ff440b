// The entry of libFuzzer and of replay.cc: BMSIM_FUZZ says which fuzzer gets the bytes.
#include "fuzz.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "files/temporary.h"

namespace bmsim::fuzz {
namespace {

using Fuzzer = void (*)(std::string_view);

constexpr std::pair<std::string_view, Fuzzer> fuzzers[] = {{"cache", cache},
                                                           {"defines", defines},
                                                           {"formula", formula},
                                                           {"journal", journal},
                                                           {"lua_api", lua_api},
                                                           {"parameters", parameters},
                                                           {"plugin_file", plugin_file},
                                                           {"result_file", result_file},
                                                           {"result_stream", result_stream}};

Fuzzer chosen() {
  const char* name = std::getenv("BMSIM_FUZZ");
  for (const auto& [known, fuzzer] : fuzzers)
    if (name != nullptr && name == known) return fuzzer;
  fmt::print(stderr, "BMSIM_FUZZ must be the name of a fuzzer, got '{}'; known:", name != nullptr ? name : "");
  for (const auto& [known, fuzzer] : fuzzers) fmt::print(stderr, " {}", known);
  fmt::print(stderr, "\n");
  std::_Exit(2);  // libFuzzer takes an exit for a finding
}

}  // namespace

void finding(const std::string& what) {
  fmt::print(stderr, "finding: {}\n", what);
  std::abort();
}

void check_message(std::string_view message, std::string_view input) {
  if (message.empty()) finding("an empty message");
  for (const char* word : {"std::", "basic_", "vector", "bad_", "_M_", "stoi", "stod", "map::at", "ios_base", "regex",
                           "invalid unordered", "bad conversion", "Assertion"})
    if (message.find(word) != message.npos && input.find(word) == input.npos)
      finding(fmt::format("a message of a library: {}", message));
}

const std::string& directory() {
  static const TemporaryDirectory made(temporary_place(), "fuzz");
  static const std::string path = made.path();
  return path;
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (!out) finding("cannot write " + path);
}

}  // namespace bmsim::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bmsim::fuzz::Fuzzer fuzzer = bmsim::fuzz::chosen();
  fuzzer(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
