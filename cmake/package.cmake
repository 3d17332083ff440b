# Packages of an install: `cpack -G DEB` in the build folder makes a .deb for the system that it is built on, whose
# libraries it uses; copies of libraries and what belongs to MPI's stay out of it.
set(CPACK_PACKAGE_NAME bmsim)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION "Integrates Langevin equations for very many independent particles at many
parameter values at once, on NVIDIA GPUs and on CPUs, and returns ensemble
averages with their standard errors. Models are scripts of a few lines in Lua
or Python: Brownian motors, ratchets, Josephson junctions, active particles.")
set(CPACK_PACKAGE_VENDOR bmsim)
set(CPACK_PACKAGE_CONTACT "bmsim's maintainers <bmsim@localhost>" CACHE STRING "name and address in packages")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

# Where Debian looks for it; a plain install has it as LICENSE.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/bmsim RENAME copyright
  COMPONENT copyright EXCLUDE_FROM_ALL)

get_cmake_property(CPACK_COMPONENTS_ALL COMPONENTS)
list(REMOVE_ITEM CPACK_COMPONENTS_ALL carried mpi)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
if(CMAKE_CROSSCOMPILING)
  # Libraries are those of the folder that tests/arm/sysroot.sh has made, and so is what dpkg knows of them:
  # DPKG_ADMINDIR=SYSROOT/packages cpack -G DEB
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_SYSROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE}
    ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
  execute_process(COMMAND dpkg-architecture --host-type ${CMAKE_LIBRARY_ARCHITECTURE} --query DEB_HOST_ARCH
    OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_ARCHITECTURE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ | c++-compiler")  # of kernels
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-xarray, python3-matplotlib, pkg-config")
include(CPack)
