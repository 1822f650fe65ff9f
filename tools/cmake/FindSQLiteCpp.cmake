# SQLiteCpp as Debian ships it: a static library without a CMake config. Defines SQLiteCpp::SQLiteCpp.
find_path(SQLiteCpp_INCLUDE_DIR NAMES SQLiteCpp/SQLiteCpp.h)
find_library(SQLiteCpp_LIBRARY NAMES SQLiteCpp)
find_package(SQLite3 QUIET)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SQLiteCpp
  REQUIRED_VARS SQLiteCpp_LIBRARY SQLiteCpp_INCLUDE_DIR SQLite3_FOUND)
if(SQLiteCpp_FOUND AND NOT TARGET SQLiteCpp::SQLiteCpp)
  add_library(SQLiteCpp::SQLiteCpp UNKNOWN IMPORTED)
  set_target_properties(SQLiteCpp::SQLiteCpp PROPERTIES
    IMPORTED_LOCATION "${SQLiteCpp_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${SQLiteCpp_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES SQLite::SQLite3)
endif()
