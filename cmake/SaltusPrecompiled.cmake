# Headers parsed once for many sources: half the time of a build is the parsing of Eigen and the like
# (docs/decisions/0018-precompiled-headers.md).
#
#   saltus_precompiled(tests HEADER tests.hpp GTest::gtest OPTIONS -O1)   # of cmake/precompiled/
#   saltus_use_precompiled(test_sets tests)   # the same flags and options, or the compiler refuses
function(saltus_precompiled name)
  if(NOT SALTUS_PCH)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER" "OPTIONS")
  set(empty ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(saltus_precompiled_${name} OBJECT ${empty})
  target_link_libraries(saltus_precompiled_${name} PRIVATE saltus_options fmt::fmt Eigen3::Eigen
                                                           ${arg_UNPARSED_ARGUMENTS})
  target_compile_options(saltus_precompiled_${name} PRIVATE ${arg_OPTIONS})
  target_precompile_headers(saltus_precompiled_${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/cmake/precompiled/${arg_HEADER})
endfunction()

function(saltus_use_precompiled target name)
  if(SALTUS_PCH)
    target_precompile_headers(${target} REUSE_FROM saltus_precompiled_${name})
  endif()
endfunction()

# Programs take the headers of the upper layers, and so the flags of the layers.
function(saltus_precompiled_program target)
  if(SALTUS_PCH)
    target_compile_options(${target} PRIVATE -fPIC)
    saltus_use_precompiled(${target} upper)
  endif()
endfunction()

# The layers are position independent: the Python module links them.
saltus_precompiled(library HEADER library.hpp OPTIONS -fPIC)
saltus_precompiled(upper HEADER upper.hpp OPTIONS -fPIC)
if(SALTUS_PCH)
  target_include_directories(saltus_precompiled_upper PRIVATE ${PROJECT_SOURCE_DIR})
endif()
