#include "plugin/elf_check.h"

#include <link.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "error.h"

namespace bmsim {

void check_library_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  ElfW(Ehdr) header;
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) return;
  std::memcpy(&header, bytes.data(), sizeof header);
  constexpr unsigned char ours = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (header.e_ident[EI_CLASS] != ours || header.e_type != ET_DYN) return;
  const auto is_inside = [&](uint64_t from, uint64_t size) {
    return from <= bytes.size() && size <= bytes.size() - from;
  };
  bool whole = is_inside(header.e_phoff, uint64_t{header.e_phnum} * sizeof(ElfW(Phdr)));
  for (size_t i = 0; whole && i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    whole = is_inside(segment.p_offset, segment.p_filesz);
  }
  if (!whole) fail("{}: cannot be loaded: it is damaged: it ends too early", file.string());
}

}  // namespace bmsim
