// The main of every test program.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <string_view>

int main(int argc, char** argv) {
  setenv("BMSIM_NETCDF", BMSIM_NETCDF_BUILT, 0);  // the tests do not lie beside it as the library does
  doctest::Context context(argc, argv);
  // $BMSIM_TEST_CASES is "long": those that the quick tests leave out, see bmsim_long_test in tests/CMakeLists.txt.
  if (const char* cases = std::getenv("BMSIM_TEST_CASES"); cases != nullptr && std::string_view(cases) == "long")
    context.addFilter("test-suite-exclude", "quick");
  return context.run();
}
