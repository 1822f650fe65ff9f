# Debian's brotli has no CMake config. Defines Brotli::Decoder, and Brotli::Encoder for tests.
find_path(Brotli_INCLUDE_DIR NAMES brotli/decode.h)
find_library(Brotli_DECODER_LIBRARY NAMES brotlidec)
find_library(Brotli_ENCODER_LIBRARY NAMES brotlienc)
find_library(Brotli_COMMON_LIBRARY NAMES brotlicommon)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Brotli REQUIRED_VARS Brotli_DECODER_LIBRARY
  Brotli_ENCODER_LIBRARY Brotli_COMMON_LIBRARY Brotli_INCLUDE_DIR)
if(Brotli_FOUND AND NOT TARGET Brotli::Decoder)
  add_library(Brotli::Decoder UNKNOWN IMPORTED)
  set_target_properties(Brotli::Decoder PROPERTIES
    IMPORTED_LOCATION "${Brotli_DECODER_LIBRARY}"
    INTERFACE_LINK_LIBRARIES "${Brotli_COMMON_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Brotli_INCLUDE_DIR}")
  add_library(Brotli::Encoder UNKNOWN IMPORTED)
  set_target_properties(Brotli::Encoder PROPERTIES
    IMPORTED_LOCATION "${Brotli_ENCODER_LIBRARY}"
    INTERFACE_LINK_LIBRARIES "${Brotli_COMMON_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Brotli_INCLUDE_DIR}")
endif()
mark_as_advanced(Brotli_INCLUDE_DIR Brotli_DECODER_LIBRARY Brotli_ENCODER_LIBRARY
  Brotli_COMMON_LIBRARY)
