// And C++ of any standard.
#include <bmsim/plugin_abi.h>

static_assert(sizeof(bm_plugin) % alignof(bm_plugin) == 0, "a descriptor has no padding at its end that counts");
