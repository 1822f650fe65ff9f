# Finds the C++ Actor Framework as Debian packages it (no CMake config of its own).
# CAF_ROOT points to another installation, such as one built for ThreadSanitizer.
# Defines the target CAF::core.
find_path(CAF_INCLUDE_DIR NAMES caf/typed_actor.hpp)
find_library(CAF_CORE_LIBRARY NAMES caf_core)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CAF REQUIRED_VARS CAF_CORE_LIBRARY CAF_INCLUDE_DIR)
if(CAF_FOUND AND NOT TARGET CAF::core)
  find_package(Threads REQUIRED)
  add_library(CAF::core UNKNOWN IMPORTED)
  set_target_properties(CAF::core PROPERTIES
    IMPORTED_LOCATION "${CAF_CORE_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${CAF_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
mark_as_advanced(CAF_INCLUDE_DIR CAF_CORE_LIBRARY)
