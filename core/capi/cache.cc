// The cache of compiled kernels, shown and cleared.
#include "backend/cache.h"

#include "capi/objects.h"

using namespace bmsim;

extern "C" {

const char* bm_cache_show() {
  thread_local std::string text;
  return guarded_pointer([&] {
    text = KernelCache::instance().show();
    return text.c_str();
  });
}

const char* bm_cache_clear() {
  thread_local std::string text;
  return guarded_pointer([&] {
    text = KernelCache::instance().clear();
    return text.c_str();
  });
}

}  // extern "C"
