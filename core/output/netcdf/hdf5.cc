#include "output/netcdf/hdf5.h"

namespace bmsim::netcdf {

void quiet_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

void fail_hdf5() {
  std::string reason;
  const auto innermost = [](unsigned level, const H5E_error2_t* error, void* to) -> herr_t {
    if (level == 0 && error->desc != nullptr) *static_cast<std::string*>(to) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &reason);
  throw Problem(reason.empty() ? "HDF5 fails" : "HDF5: " + reason);
}

}  // namespace bmsim::netcdf
