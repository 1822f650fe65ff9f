#pragma once

#include "config/limits.hpp"

#include <cstdint>
#include <string_view>

namespace gasoline {

/// Where the bodies of one wire format are taken: what the HTTP side has to know of the format. The
/// rows stand in `actors/ingest/formats/format_table`. All texts are literals.
struct ingest_route {
  std::string_view format; ///< its name, as `health` lists it
  std::string_view path;   ///< of a `POST`
  /// The most bytes of a body, as sent.
  std::uint64_t (*body_bytes)(const limits& limit);
};

} // namespace gasoline
