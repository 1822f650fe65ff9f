#pragma once

#include "messages/base/enum_names.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {

/// How a request body is compressed.
enum class content_coding : std::uint8_t { identity, gzip, deflate };

template <>
struct enum_table<content_coding> {
  static constexpr std::array<std::pair<content_coding, std::string_view>, 4> rows{{
      {content_coding::identity, "identity"},
      {content_coding::gzip, "gzip"},
      {content_coding::deflate, "deflate"},
      {content_coding::gzip, "x-gzip"},
  }};
};

/// Reads a `Content-Encoding` header, case-insensitive; empty means identity. Nothing when it names
/// another coding or more than one.
std::optional<content_coding> parse_content_coding(std::string_view header);

/// How inflating ended.
enum class inflate_status : std::uint8_t { done, too_large, ill_formed };

struct inflated_body {
  inflate_status status = inflate_status::done;
  std::string bytes; ///< complete when `done`, else empty
};

/// Inflates a whole body: gzip (with any number of members) or deflate in the zlib format. Stops as
/// soon as more than `cap` bytes come out, so that a bomb costs at most that much memory. Identity
/// is copied.
inflated_body inflate_body(content_coding coding, std::string_view bytes, std::uint64_t cap);

} // namespace gasoline
