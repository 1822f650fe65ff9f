# Finds the NATS C client (Debian: libnats-dev). Defines the target NATS::nats.
find_path(NATS_INCLUDE_DIR NAMES nats/nats.h)
find_library(NATS_LIBRARY NAMES nats)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NATS REQUIRED_VARS NATS_LIBRARY NATS_INCLUDE_DIR)
if(NATS_FOUND AND NOT TARGET NATS::nats)
  add_library(NATS::nats UNKNOWN IMPORTED)
  set_target_properties(NATS::nats PROPERTIES
    IMPORTED_LOCATION "${NATS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${NATS_INCLUDE_DIR}")
endif()
mark_as_advanced(NATS_INCLUDE_DIR NATS_LIBRARY)
