#include "actors/ingest/formats/format_table.hpp"
#include "actors/ingest/formats/sentry.hpp"
#include "actors/ingest/formats/sentry/nonfinite_numbers.hpp"
#include "actors/ingest/formats/sentry/sentry_event.hpp"
#include "actors/ingest/formats/sentry/sentry_values.hpp"
#include "messages/base/encoding/base64.hpp"
#include "messages/base/encoding/inflated_body.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace gasoline {
namespace {

/// Of one event, when it comes as a compressed stream of its own.
constexpr std::uint64_t most_inflated_bytes = 8U << 20U;

bool begins_object(std::string_view body) {
  const auto first = body.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && body[first] == '{';
}

/// Line breaks and blanks do not count in base64.
void drop_blanks(std::string& text) {
  text.erase(std::remove_if(text.begin(), text.end(),
                            [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }),
             text.end());
}

/// The JSON that a body holds as zlib stream, in base64, or as both; nothing: none of them.
std::optional<std::string> unwrapped(std::string body) {
  const bool is_deflated = !body.empty() && body.front() == '\x78';
  auto inflated = is_deflated ? inflate_body(content_coding::deflate, body, most_inflated_bytes)
                              : inflated_body{inflate_status::ill_formed, {}};
  if (inflated.status == inflate_status::done)
    return std::move(inflated.bytes);
  drop_blanks(body);
  auto bytes = base64_decoded(body);
  if (!bytes || begins_object(*bytes))
    return bytes;
  inflated = inflate_body(content_coding::deflate, *bytes, most_inflated_bytes);
  if (inflated.status != inflate_status::done)
    return std::nullopt;
  return std::move(inflated.bytes);
}

result_or<decoded_body> decode_store(std::string& body, const decode_context& context) {
  if (!begins_object(body))
    if (auto json = unwrapped(body))
      body = std::move(*json);
  auto root = context.json.parse(body);
  if (auto finite = root ? std::nullopt : without_nonfinite_numbers(body)) {
    body = std::move(*finite);
    root = context.json.parse(body);
  }
  if (!root)
    return tl::unexpected(root.error());
  if (!root->is_object())
    return tl::unexpected(user_error{"The body must be one event as a JSON object."});
  decoded_body out;
  out.received = 1;
  out.id = event_id_in(*root);
  read_sentry_event(*root, {context.head.parameter, out.id, {}}, context, out);
  return out;
}

constexpr std::string_view store_paths[] = {"/api/{project}/store", "/api/store/",
                                            "*/api/{project}/store/", "*/api/{project}/store"};
constexpr std::string_view store_types[] = {"*"};

} // namespace

/// One event as JSON, as Sentry SDKs sent it before there were envelopes.
constinit const ingest_format sentry_store_format{
    .route = {"sentry_store",
              "/api/{project}/store/",
              &http_room::http_limits::body_bytes,
              store_types,
              {},
              store_paths,
              refuse_sentry},
    .decode = decode_store,
    .answer = answer_sentry,
    .recorded = {},
    .shed_sentence = {},
    .in_turn = true,
};

} // namespace gasoline
