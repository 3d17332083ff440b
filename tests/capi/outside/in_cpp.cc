// The same headers in C++: what the library says of itself.
#include <bmsim/bmsim.h>

#include <cstdio>

int main() {
  if (bm_plugin_load_directory(bm_plugin_directory()) != BM_OK) {
    std::fprintf(stderr, "in_cpp: %s\n", bm_error());
    return 1;
  }
  std::printf("%s, %u plugins\n", bm_version(), static_cast<unsigned>(bm_plugin_count()));
  return bm_plugin_count() > 10 ? 0 : 1;
}
