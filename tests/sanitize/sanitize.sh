#!/usr/bin/env bash
# sanitize.sh address|thread BUILD [OPTION...]: builds and runs the tests of unit, plugin, capi, script and fuzz in a
# build with these sanitizers (cmake --preset). Kernels are compiled by the same compiler with the same sanitizers, into
# a cache of this build. Further options are ctest's: `-R '^unit$'`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sanitizer=$1 build=$(realpath "$2")

# Left out, beside the tests of physics:
leave_out=(
  'capi\.outside' 'plugin\.guide'        # compile programs of their own, as users do, without sanitizers
  'capi\.sanitized.*'                    # is such a build by itself
  'script\.check\.(mpi|slurm)'           # MPI's libraries are not built for it
  'script\.check\.(licences|search_paths)'  # nor can it be installed without them
  'script\.check\.(keep_source|no_compiler|current_directory)'  # are about compilers and options, which are set here
  'script\.check\.interrupt'             # counts on what is finished in a second
)
export BMSIM_CXX=clang++ UBSAN_OPTIONS=print_stacktrace=1
case $sanitizer in
  address)
    # With -O1, clang takes ten times as long.
    kernels="-O0 -fsanitize=address,undefined"
    ;;
  thread)
    kernels="-O1 -fsanitize=thread"
    # Signals are handled where the program calls something, and a loop of Lua's without a body calls nothing.
    leave_out+=('script\.check\.prompt_terminal')
    export TSAN_OPTIONS="suppressions=$here/../capi/sanitizer.supp"
    ;;
esac
export BMSIM_KERNEL_FLAGS="-gline-tables-only $kernels -fno-sanitize-recover=all"

cmake --build "$build" --target bmsim_program bmsim_plugins bmsim_lua bmsim_reference_pages bmsim_fuzz \
  test_unit test_streams test_plugin test_plugin_check test_capi
ctest --test-dir "$build" -j "$(nproc)" --output-on-failure -L '^(unit|plugin|capi|script|fuzz)$' -LE '^quick$' \
  -E "^($(IFS='|'; echo "${leave_out[*]}"))$" "${@:3}"
