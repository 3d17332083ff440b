/* The ABI of plugins is plain C. */
#include <bmsim/plugin_abi.h>

size_t descriptor_size(const bm_plugin* plugin);
size_t descriptor_size(const bm_plugin* plugin) { return plugin->size; }
