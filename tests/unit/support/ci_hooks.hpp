#pragma once

#include "tests/unit/support/decoded.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline::test {

using hook_headers = std::vector<std::pair<std::string_view, std::string>>;

/// What a delivery of that system comes to.
inline result_or<decoded_body> deliver(body_decoder& decoder, std::string_view format,
                                       std::string body, hook_headers headers = {},
                                       std::string content_type = "application/json") {
  const auto* row = find_format(format);
  REQUIRE(row != nullptr);
  return decoder.decode(
      *row, std::move(body), *from_iso8601("2026-01-28T14:30:00Z"),
      {.content_type = std::move(content_type), .parameter = {}, .headers = std::move(headers)});
}

/// The result that it tells; it must be taken and tell one.
inline raw_ci_result told_by(std::string_view format, std::string body, hook_headers headers = {}) {
  auto decoder = make_decoder();
  const auto out = deliver(decoder, format, std::move(body), std::move(headers));
  REQUIRE_MESSAGE(out, (out ? std::string{} : out.error().message));
  REQUIRE_MESSAGE(out->events.size() == 1, out->remark);
  return *out->events[0].ci;
}

/// Why nothing came of it; it must be taken.
inline std::string ignored_by(std::string_view format, std::string body,
                              hook_headers headers = {}) {
  auto decoder = make_decoder();
  const auto out = deliver(decoder, format, std::move(body), std::move(headers));
  REQUIRE_MESSAGE(out, (out ? std::string{} : out.error().message));
  CHECK(out->events.empty());
  CHECK(out->received == 1);
  return out->remark;
}

inline body_decoder decoder_with(hook_secrets secrets) {
  static const auto engine =
      std::make_shared<const redaction_engine>(std::vector<redaction_rule>{});
  return {limits{}, engine, std::move(secrets)};
}

} // namespace gasoline::test
