#include "output/netcdf_program.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "error.h"

namespace bmsim {

std::string netcdf_program() {
  if (const char* given = std::getenv("BMSIM_NETCDF"); given != nullptr && *given != '\0') return given;
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&netcdf_program), &library) == 0 || library.dli_fname == nullptr)
    fail("the library's own place is not known");
  return (std::filesystem::canonical(library.dli_fname).parent_path() / "bmsim" / "netcdf").string();
}

}  // namespace bmsim
