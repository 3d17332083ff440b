#include "plugin/elf_check.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "error.h"

namespace bmsim {

namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Dynamic = ElfW(Dyn);
using Symbol = ElfW(Sym);
using Relocation = ElfW(Rela);

/// Checks one file, whose bytes it has. Addresses are those of the library's own memory, which begins at 0.
class Library {
 public:
  explicit Library(std::string bytes) : bytes_(std::move(bytes)) {}

  void check() {
    if (bytes_.size() < sizeof(Header) || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0) return;
    const auto header = in_file<Header>(0);
    constexpr unsigned char ours = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (header.e_ident[EI_CLASS] != ours || header.e_type != ET_DYN || header.e_phentsize != sizeof(Segment)) return;
    for (size_t i = 0; i < header.e_phnum; ++i) segments_.push_back(in_file<Segment>(header.e_phoff, i));
    check_segments();
    read_dynamic();
    check_texts();
    check_hash();
    check_symbols();
    check_relocations(DT_RELA, DT_RELASZ);
    check_relocations(DT_JMPREL, DT_PLTRELSZ);
    check_functions();
  }

 private:
  /// Element `index` of an array in the file.
  template <class T> T in_file(uint64_t offset, uint64_t index = 0) const {
    if (offset > bytes_.size() || index >= (bytes_.size() - offset) / sizeof(T)) fail("it ends too early");
    T found;
    std::memcpy(&found, bytes_.data() + offset + index * sizeof(T), sizeof found);
    return found;
  }
  /// The same in memory.
  template <class T> T in_memory(uint64_t address, uint64_t index = 0) const {
    for (const Segment& one : segments_) {
      if (one.p_type != PT_LOAD || address < one.p_vaddr || address - one.p_vaddr > one.p_filesz) continue;
      if (index < (one.p_filesz - (address - one.p_vaddr)) / sizeof(T))
        return in_file<T>(one.p_offset + (address - one.p_vaddr), index);
    }
    fail("a table lies outside of it");
  }
  bool in_segment(uint64_t address, uint64_t size, uint32_t flags) const {
    for (const Segment& one : segments_)
      if (one.p_type == PT_LOAD && (one.p_flags & flags) == flags && address >= one.p_vaddr &&
          address - one.p_vaddr <= one.p_memsz && size <= one.p_memsz - (address - one.p_vaddr))
        return true;
    return false;
  }

  /// The same, as far as the pages of a segment go.
  bool in_pages(uint64_t address, uint64_t size) const {
    for (const Segment& one : segments_) {
      if (one.p_type != PT_LOAD || one.p_align == 0) continue;
      const uint64_t end = (one.p_vaddr + one.p_memsz + one.p_align - 1) / one.p_align * one.p_align;
      if (address >= one.p_vaddr && address < end && size <= end - address) return true;
    }
    return false;
  }

  void check_segments() {
    constexpr uint64_t most_memory = uint64_t{1} << 32;
    uint64_t end = 0;
    for (const Segment& one : segments_) {
      const bool load = one.p_type == PT_LOAD;
      if (one.p_filesz > bytes_.size() || one.p_offset > bytes_.size() - one.p_filesz) fail("it ends too early");
      if (!load) continue;
      if (one.p_memsz > most_memory || one.p_vaddr > most_memory || one.p_filesz > one.p_memsz || one.p_vaddr < end)
        fail("its segments do not fit together");
      end = one.p_vaddr + one.p_memsz;
    }
    for (const Segment& one : segments_) {
      const bool part = one.p_type == PT_DYNAMIC ? in_segment(one.p_vaddr, one.p_filesz, 0)
                                                 : one.p_type != PT_GNU_RELRO || in_pages(one.p_vaddr, one.p_memsz);
      if (!part) fail("its segments do not fit together");
    }
  }

  void read_dynamic() {
    for (const Segment& one : segments_) {
      if (one.p_type != PT_DYNAMIC) continue;
      for (uint64_t i = 0; i < one.p_memsz / sizeof(Dynamic); ++i) {
        const auto entry = in_memory<Dynamic>(one.p_vaddr, i);
        if (entry.d_tag == DT_NULL) return check_needed();
        if (entry.d_tag == DT_NEEDED)
          needed_.push_back(entry.d_un.d_val);
        else
          dynamic_[entry.d_tag] = entry.d_un.d_val;
      }
    }
    fail("its dynamic section has no end");
  }

  uint64_t value(int64_t tag) const {
    const auto found = dynamic_.find(tag);
    return found == dynamic_.end() ? 0 : found->second;
  }
  bool has(int64_t tag) const { return dynamic_.contains(tag); }

  void check_needed() const {
    const std::pair<int64_t, std::vector<int64_t>> companions[] = {
        {DT_RELA, {DT_RELASZ, DT_RELAENT}}, {DT_JMPREL, {DT_PLTRELSZ, DT_PLTREL, DT_PLTGOT}},
        {DT_SYMTAB, {DT_SYMENT}},           {DT_VERNEED, {DT_VERNEEDNUM}},
        {DT_INIT_ARRAY, {DT_INIT_ARRAYSZ}}, {DT_FINI_ARRAY, {DT_FINI_ARRAYSZ}},
    };
    for (const auto& [tag, others] : companions)
      for (const int64_t other : others)
        if (has(tag) && !has(other)) fail("its dynamic section lacks a table");
    if (!has(DT_STRTAB) || !has(DT_SYMTAB) || (!has(DT_GNU_HASH) && !has(DT_HASH)) || has(DT_VERNEED) != has(DT_VERSYM))
      fail("its dynamic section lacks a table");
    const std::pair<int64_t, uint64_t> constants[] = {
        {DT_SYMENT, sizeof(Symbol)}, {DT_RELAENT, sizeof(Relocation)}, {DT_PLTREL, DT_RELA}};
    for (const auto& [tag, one] : constants)
      if (has(tag) && value(tag) != one) fail("its dynamic section has tables of another form");
  }

  void check_texts() const {
    const uint64_t size = value(DT_STRSZ);
    if (size == 0 || in_memory<char>(value(DT_STRTAB), size - 1) != '\0') fail("its table of texts has no end");
    for (const int64_t tag : {DT_SONAME, DT_RPATH, DT_RUNPATH})
      if (value(tag) >= size) fail("a text lies outside of it");
    for (const uint64_t one : needed_)
      if (one >= size) fail("a text lies outside of it");
  }

  /// Walks all chains of the hash table; counts the symbols on the way.
  void check_hash() {
    if (!has(DT_GNU_HASH)) {  // the older form: numbers of buckets and of symbols
      symbols_ = in_memory<uint32_t>(value(DT_HASH), 1);
      return;
    }
    const uint64_t table = value(DT_GNU_HASH);
    const auto word = [&](uint64_t index) { return in_memory<uint32_t>(table, index); };
    const uint64_t buckets = word(0), first = word(1), filters = word(2);
    if (buckets == 0 || filters == 0 || (filters & (filters - 1)) != 0) fail("its table of names is not one");
    const uint64_t start = 4 + filters * (sizeof(ElfW(Addr)) / sizeof(uint32_t)), chains = start + buckets;
    uint64_t last = 0;
    for (uint64_t i = 0; i < buckets; ++i) {
      const uint64_t bucket = word(start + i);
      if (bucket != 0 && bucket < first) fail("its table of names is not one");
      last = std::max(last, bucket);
    }
    symbols_ = first;
    if (last == 0) return;
    while ((word(chains + last - first) & 1U) == 0) ++last;
    symbols_ = last + 1;
  }

  void check_symbols() const {
    for (uint64_t i = 0; i < symbols_; ++i) {
      const auto symbol = in_memory<Symbol>(value(DT_SYMTAB), i);
      if (symbol.st_name >= value(DT_STRSZ)) fail("a text lies outside of it");
      const bool here = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS;
      if (here && (symbol.st_info & 0xf) != STT_TLS && !in_segment(symbol.st_value, symbol.st_size, 0))
        fail("a symbol lies outside of it");
    }
  }

  void check_relocations(int64_t table, int64_t size) const {
    const uint64_t relative = table == DT_RELA ? value(DT_RELACOUNT) : 0;  // the loader asserts that the first are
    if (relative > value(size) / sizeof(Relocation)) fail("its relocations are not as many as it says");
    for (uint64_t i = 0; i < value(size) / sizeof(Relocation); ++i) {
      const auto one = in_memory<Relocation>(value(table), i);
      constexpr bool wide = sizeof(void*) == 8;
      const uint64_t symbol = wide ? one.r_info >> 32 : one.r_info >> 8;
      const bool place = in_segment(one.r_offset, sizeof(void*), PF_W);
      const bool target = symbol == 0 ? in_segment(static_cast<uint64_t>(one.r_addend), 0, 0) : symbol < symbols_;
      if (!place || !target) fail("a relocation lies outside of it");
      if (i < relative && one.r_info != relative_type) fail("a relocation is not of the kind that it says");
    }
  }

  void check_functions() const {
    for (const int64_t tag : {DT_INIT, DT_FINI})
      if (has(tag) && !in_segment(value(tag), 1, PF_X)) fail("a function lies outside of it");
    const std::pair<int64_t, int64_t> arrays[] = {{DT_INIT_ARRAY, DT_INIT_ARRAYSZ}, {DT_FINI_ARRAY, DT_FINI_ARRAYSZ}};
    for (const auto& [table, size] : arrays)
      if (has(table) &&
          ((value(table) | value(size)) % sizeof(void*) != 0 || !in_segment(value(table), value(size), PF_W)))
        fail("a table lies outside of it");
    check_versions();
  }

  /// The versions that the library needs of others, and those of its symbols.
  void check_versions() const {
    std::set<uint16_t> known = {VER_NDX_LOCAL, VER_NDX_GLOBAL};
    uint64_t place = value(DT_VERNEED);
    for (uint64_t i = 0; i < value(DT_VERNEEDNUM); ++i) {
      const auto one = in_memory<ElfW(Verneed)>(place);
      if (one.vn_version != VER_NEED_CURRENT) fail("its versions are of another form");
      uint64_t version = place + one.vn_aux;
      for (unsigned k = 0; k < one.vn_cnt; ++k) {
        const auto name = in_memory<ElfW(Vernaux)>(version);
        if (name.vna_name >= value(DT_STRSZ)) fail("a text lies outside of it");
        known.insert(name.vna_other);
        if (name.vna_next == 0) break;
        version += name.vna_next;
      }
      if (one.vn_file >= value(DT_STRSZ)) fail("a text lies outside of it");
      if (one.vn_next == 0) break;
      place += one.vn_next;
    }
    constexpr uint16_t hidden = 0x8000;
    for (uint64_t i = 0; has(DT_VERSYM) && !has(DT_VERDEF) && i < symbols_; ++i) {
      const auto version = static_cast<uint16_t>(in_memory<uint16_t>(value(DT_VERSYM), i) & ~hidden);
      if (!known.contains(version)) fail("a symbol has a version that is not there");
    }
  }

#ifdef __aarch64__
  static constexpr uint64_t relative_type = R_AARCH64_RELATIVE;
#else
  static constexpr uint64_t relative_type = R_X86_64_RELATIVE;
#endif
  std::string bytes_;
  std::vector<Segment> segments_;
  std::map<int64_t, uint64_t> dynamic_;  // by tag
  std::vector<uint64_t> needed_;
  uint64_t symbols_ = 0;
};

}  // namespace

void check_library_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  try {
    Library(std::move(bytes)).check();
  } catch (const Error& error) {
    fail("{}: cannot be loaded: it is damaged: {}", file.string(), error.what());
  }
}

}  // namespace bmsim
