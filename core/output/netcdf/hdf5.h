// HDF5 with exceptions and destructors. netCDF-4 files are HDF5 files: a dimension is a data set that is a scale.
#pragma once
#define H5_USE_110_API  // the names of HDF5 1.10, in later versions, too
#include <hdf5.h>
#include <hdf5_hl.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace bmsim::netcdf {

struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Problem with HDF5's own words on why its last call failed.
[[noreturn]] inline void fail_hdf5() {
  std::string reason;
  const auto innermost = [](unsigned level, const H5E_error2_t* error, void* to) -> herr_t {
    if (level == 0 && error->desc != nullptr) *static_cast<std::string*>(to) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &reason);
  throw Problem(reason.empty() ? "HDF5 fails" : "HDF5: " + reason);
}

/// Returns the result of a call of HDF5; throws Problem if it is negative, which means that the call has failed.
template <class Result> Result check(Result result) {
  if (result < 0) fail_hdf5();
  return result;
}

/// An object of HDF5's, which the destructor closes.
class Id {
 public:
  explicit Id(hid_t id) : id_(check(id)) {}
  ~Id() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Id& operator=(Id&&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
};

}  // namespace bmsim::netcdf
