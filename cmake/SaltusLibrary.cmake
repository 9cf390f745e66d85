# One folder of saltus/ = one target = one line in the layer table.
#
#   saltus_library(solvers HEADERS lemke.hpp … SOURCES lemke.cpp … USES problems [LINK SuiteSparse::SuiteSparse])
#
# creates saltus_solvers with the alias saltus::solvers: C++20, warnings as errors, installed and
# exported. A library without sources is an interface library.

# What every target of the build shares; the users of an installed Saltus only get C++20 from it.
add_library(saltus_options INTERFACE)
target_compile_features(saltus_options INTERFACE cxx_std_20)
set(options -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)
if(SALTUS_SANITIZE)
  # The instrumented code defeats the analysis behind -Wmaybe-uninitialized.
  list(APPEND options -fsanitize=${SALTUS_SANITIZE} -fno-sanitize-recover=all
       -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  target_link_options(saltus_options INTERFACE $<BUILD_INTERFACE:-fsanitize=${SALTUS_SANITIZE}>)
endif()
if(SALTUS_FUZZ)
  # Counts which branches an input takes; a program of libFuzzer adds its main function. Warnings
  # are the business of the compiler that makes the library.
  list(APPEND options -fsanitize=fuzzer-no-link -Wno-error)
endif()
target_compile_options(saltus_options INTERFACE "$<BUILD_INTERFACE:${options}>")

function(saltus_library layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;SOURCES;USES;LINK")
  set(scope PUBLIC)
  if(arg_SOURCES)
    add_library(saltus_${layer} STATIC ${arg_SOURCES})
    set_target_properties(saltus_${layer} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(layer MATCHES "^(integrators|simulation|analysis|io)$")  # these see the schemes
      saltus_use_precompiled(saltus_${layer} upper)
    else()
      saltus_use_precompiled(saltus_${layer} library)
    endif()
  else()
    set(scope INTERFACE)
    add_library(saltus_${layer} INTERFACE)
  endif()
  add_library(saltus::${layer} ALIAS saltus_${layer})
  set_target_properties(saltus_${layer} PROPERTIES EXPORT_NAME ${layer})
  target_sources(saltus_${layer} ${scope}
    FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
  list(TRANSFORM arg_USES PREPEND saltus_)
  target_link_libraries(saltus_${layer} ${scope} saltus_options ${arg_LINK} ${arg_USES})
  set_property(GLOBAL APPEND PROPERTY SALTUS_LAYERS saltus_${layer})
endfunction()

# Installs every layer and exports them with the umbrella target saltus::saltus.
function(saltus_install)
  include(CMakePackageConfigHelpers)
  get_property(layers GLOBAL PROPERTY SALTUS_LAYERS)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/saltus)
  add_library(saltus INTERFACE)
  add_library(saltus::saltus ALIAS saltus)
  target_link_libraries(saltus INTERFACE ${layers})
  set_target_properties(saltus_options PROPERTIES EXPORT_NAME options)
  install(TARGETS saltus saltus_options ${layers} EXPORT saltus
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT saltus NAMESPACE saltus:: FILE saltus-targets.cmake DESTINATION ${folder})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/saltus-config.cmake.in
    ${PROJECT_BINARY_DIR}/saltus-config.cmake INSTALL_DESTINATION ${folder})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/saltus-config-version.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/saltus-config.cmake
                ${PROJECT_BINARY_DIR}/saltus-config-version.cmake
                ${PROJECT_SOURCE_DIR}/cmake/FindSuiteSparse.cmake
                ${PROJECT_SOURCE_DIR}/cmake/FindMETIS.cmake
          DESTINATION ${folder})
endfunction()
