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
enum class content_coding : std::uint8_t { identity, gzip, deflate, brotli, zstd };

template <>
struct enum_table<content_coding> {
  static constexpr std::array<std::pair<content_coding, std::string_view>, 6> rows{{
      {content_coding::identity, "identity"},
      {content_coding::gzip, "gzip"},
      {content_coding::deflate, "deflate"},
      {content_coding::brotli, "br"},
      {content_coding::zstd, "zstd"},
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

/// Inflates a whole body: gzip (any number of members), deflate (in the zlib format), br, or zstd
/// (any number of frames). Stops as soon as more than `cap` bytes come out, so that a bomb costs at
/// most that much memory and, for br and zstd, a window of 16 MB. Identity is copied.
inflated_body inflate_body(content_coding coding, std::string_view bytes, std::uint64_t cap);

} // namespace gasoline
