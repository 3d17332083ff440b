// The main of every test program.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  setenv("BMSIM_NETCDF", BMSIM_NETCDF_BUILT, 0);  // the tests do not lie beside it as the library does
  return doctest::Context(argc, argv).run();
}
