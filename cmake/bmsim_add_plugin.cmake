# bmsim_add_plugin(NAME FILE.cc): a module library NAME.so from one source file, which it also carries as text.
function(bmsim_add_plugin name file)
  add_library(${name} MODULE ${file})
  target_compile_features(${name} PRIVATE cxx_std_20)
  # The text is included by top-level assembly, which link-time optimisation loses.
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON INTERPROCEDURAL_OPTIMIZATION OFF)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
    target_compile_options(${name} PRIVATE -Wno-psabi)  # a note for who mixes C++14 and C++17
  endif()
  if(TARGET bmsim::plugin)
    target_link_libraries(${name} PRIVATE bmsim::plugin)
  endif()
  if(TARGET bmsim_warnings)  # in bmsim's own tree
    target_link_libraries(${name} PRIVATE bmsim_warnings)
  endif()
endfunction()
