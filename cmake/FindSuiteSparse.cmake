# The parts of SuiteSparse in use, as the target SuiteSparse::SuiteSparse: KLU
# (sparse LU), LDL (sparse symmetric factorisation), AMD and CAMD (orderings) with what they need.
find_path(SuiteSparse_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(SuiteSparse_PARTS)
foreach(part klu ldl btf colamd camd amd suitesparseconfig)
  find_library(SuiteSparse_${part}_LIBRARY ${part})
  mark_as_advanced(SuiteSparse_${part}_LIBRARY)
  list(APPEND SuiteSparse_PARTS SuiteSparse_${part}_LIBRARY)
endforeach()
mark_as_advanced(SuiteSparse_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparse REQUIRED_VARS SuiteSparse_INCLUDE_DIR ${SuiteSparse_PARTS})

if(SuiteSparse_FOUND AND NOT TARGET SuiteSparse::SuiteSparse)
  add_library(SuiteSparse::SuiteSparse INTERFACE IMPORTED)
  target_include_directories(SuiteSparse::SuiteSparse SYSTEM INTERFACE ${SuiteSparse_INCLUDE_DIR})
  foreach(library ${SuiteSparse_PARTS})
    target_link_libraries(SuiteSparse::SuiteSparse INTERFACE ${${library}})
  endforeach()
endif()
