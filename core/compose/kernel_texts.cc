// The assembler embeds the files. CMake lists them, and rebuilds this object when one of them changes. The labels are
// global: of local ones, the linker for 64-bit ARM makes one entry of the global offset table.
#include "compose/flatten.h"

#define BM_LABEL(name) ".hidden " name "\n.globl " name "\n" name ":\n"
#define BM_KERNEL(number, path)                                                                                      \
  __asm__(".pushsection .rodata\n" BM_LABEL("bm_text_" #number) ".incbin \"" BMSIM_KERNELS "/" path "\"\n" BM_LABEL( \
      "bm_end_" #number) ".byte 0\n.popsection\n");                                                                  \
  extern "C" {                                                                                                       \
  extern const char bm_kernel_##number##_begin[] __asm__("bm_text_" #number);                                        \
  extern const char bm_kernel_##number##_end[] __asm__("bm_end_" #number);                                           \
  }
#include BMSIM_KERNEL_FILES
#undef BM_KERNEL

namespace bmsim {

std::optional<std::string_view> kernel_text(std::string_view name) {
  struct File {
    std::string_view name;
    const char *begin, *end;
  };
#define BM_KERNEL(number, path) {"kernels/" path, bm_kernel_##number##_begin, bm_kernel_##number##_end},
  static const File files[] = {
#include BMSIM_KERNEL_FILES
  };
#undef BM_KERNEL
  for (const File& file : files)
    if (file.name == name) return std::string_view(file.begin, static_cast<size_t>(file.end - file.begin));
  return {};
}

}  // namespace bmsim
