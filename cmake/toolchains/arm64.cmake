# 64-bit ARM on another machine, by the cross compiler of Debian and Ubuntu (g++-aarch64-linux-gnu). Headers and
# libraries are those of a folder, BMSIM_SYSROOT, which tests/arm/sysroot.sh makes from the distribution's packages.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

set(BMSIM_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../../build-arm64/sysroot CACHE PATH "libraries of 64-bit ARM")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BMSIM_SYSROOT)
file(REAL_PATH ${BMSIM_SYSROOT} CMAKE_SYSROOT)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)

# The one that FindHDF5 would find is for the machine that builds.
set(HDF5_C_COMPILER_EXECUTABLE ${CMAKE_SYSROOT}/usr/bin/h5cc CACHE FILEPATH "HDF5's compiler, asked for its options")

find_program(BMSIM_QEMU NAMES qemu-aarch64 qemu-aarch64-static)
if(BMSIM_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${BMSIM_QEMU} -L ${CMAKE_SYSROOT})
endif()
