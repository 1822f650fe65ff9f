#pragma once

#include "config/limits.hpp"
#include "messages/telemetry/ingest.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace gasoline {

/// Where the bodies of one wire format are taken: what the HTTP side has to know of the format. The
/// rows stand in `actors/ingest/formats/formats.def`. All texts are literals.
struct ingest_route {
  std::string_view format; ///< its name, as `health` lists it
  std::string_view path;   ///< of a `POST`
  /// The limit of the bytes of a body, as sent.
  std::uint64_t http_room::http_limits::*body_bytes;
  /// The media types that are taken beside JSON, in lower case; `*`: any.
  std::span<const std::string_view> more_types{};
  /// Names of the headers that the format wants to see.
  std::span<const std::string_view> headers{};
  /// Where the same bodies are taken too.
  std::span<const std::string_view> more_paths{};
  /// The body of a refusal, in the shape that this sender knows; null: `{"error":SENTENCE}`.
  ingest_answer (*refusal)(std::uint16_t status, std::string_view sentence,
                           const ingest_head& head) = nullptr;
};

} // namespace gasoline
