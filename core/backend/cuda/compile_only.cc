#include "backend/cuda/compile_only.h"

#include <fmt/format.h>

#include "backend/cache.h"
#include "backend/cuda/nvrtc.h"
#include "error.h"

namespace bmsim::cuda {

std::string why_no_compiler() {
  try {
    const Nvrtc nvrtc;
    return nvrtc.architectures().empty() ? "cuda: NVRTC knows no architecture" : "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string compile_only(const std::string& source) {
  KernelCache& cache = KernelCache::instance();
  const std::string key = digest(fmt::format("{}compiles for the newest\n{}", Nvrtc::identity(), source));
  if (const auto known = cache.load(key)) return *known;
  const Nvrtc nvrtc;
  const int architecture = nvrtc.architectures().back();
  nvrtc.ptx(source, architecture);  // the text is judged without the assembler
  const std::string name = fmt::format("compute_{}", architecture);
  cache.store(key, name);
  return name;
}

}  // namespace bmsim::cuda
