#pragma once

#include "actors/ingest/decoding/body_decoder.hpp"
#include "actors/ingest/formats/format_table.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline::test {

inline body_decoder make_decoder(const limits& limit = {}) {
  static const auto engine =
      std::make_shared<const redaction_engine>(std::vector<redaction_rule>{});
  return {limit, engine};
}

inline result_or<decoded_body> try_decode(std::string_view format, std::string body,
                                          const ingest_head& head = {}) {
  const auto* row = find_format(format);
  REQUIRE(row != nullptr);
  return make_decoder().decode(*row, std::move(body), *from_iso8601("2026-01-28T14:30:00Z"), head);
}

/// What a body of that format holds; it must be taken.
inline decoded_body decoded_as(std::string_view format, std::string body,
                               const ingest_head& head = {}) {
  auto out = try_decode(format, std::move(body), head);
  REQUIRE_MESSAGE(out, (out ? std::string{} : out.error().message));
  return std::move(*out);
}

/// Why a body is refused as a whole.
inline std::string refused_as(std::string_view format, std::string body) {
  const auto out = try_decode(format, std::move(body));
  REQUIRE_FALSE(out);
  return out.error().message;
}

} // namespace gasoline::test
