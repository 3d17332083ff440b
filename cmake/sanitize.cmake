# The build type Sanitize: clang's sanitizers in all that is compiled; the first finding ends the program.
# BMSIM_SANITIZE is `address`, with undefined behaviour and with what tells libFuzzer (tests/fuzz) which way a program
# takes; or `thread`.
set(BMSIM_SANITIZE "" CACHE STRING "Sanitizers of the build type Sanitize: address or thread")
if(NOT BMSIM_SANITIZE)
  return()
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang OR NOT CMAKE_BUILD_TYPE STREQUAL Sanitize)
  message(FATAL_ERROR "BMSIM_SANITIZE: needs clang and the build type Sanitize, as in cmake --preset address")
endif()
set(sanitizers_address address,undefined,float-cast-overflow)
set(sanitizers_thread thread)
set(BMSIM_SANITIZER_FLAGS -fsanitize=${sanitizers_${BMSIM_SANITIZE}} -fno-sanitize-recover=all
  -fno-omit-frame-pointer)
set(macro_address -D__SANITIZE_ADDRESS__)  # as g++ says it
set(macro_thread -D__SANITIZE_THREAD__)
set(coverage_address -fsanitize=fuzzer-no-link)
string(JOIN " " flags -O1 -gline-tables-only -D_GLIBCXX_ASSERTIONS -ftrivial-auto-var-init=pattern
  ${BMSIM_SANITIZER_FLAGS} ${coverage_${BMSIM_SANITIZE}} ${macro_${BMSIM_SANITIZE}})
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_SANITIZE "${flags}")
endforeach()
# The linker of plugins must not miss what the program alone has.
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_SANITIZE "${flags}")
endforeach()
