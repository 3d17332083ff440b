#!/bin/bash
# $PREFIX and $CMAKE_ARGS are conda build's.
set -euo pipefail
build="build-conda"
rm -rf $build
# shellcheck disable=SC2086  # several words
cmake ${CMAKE_ARGS:-} -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DBMSIM_TESTS=OFF \
  -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib
cmake --build $build
# Libraries are conda's own packages: copies of them are not installed.
for component in $(sed -n 's/.*CPACK_COMPONENTS_ALL "\(.*\)".*/\1/p' $build/CPackConfig.cmake | tr ';' ' '); do
  cmake --install $build --component "$component"
done
