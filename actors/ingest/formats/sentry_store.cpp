#include "actors/ingest/formats/format_table.hpp"
#include "actors/ingest/formats/sentry.hpp"
#include "actors/ingest/formats/sentry/nonfinite_numbers.hpp"
#include "actors/ingest/formats/sentry/sentry_event.hpp"
#include "actors/ingest/formats/sentry/sentry_values.hpp"

#include <optional>
#include <string>
#include <utility>

namespace gasoline {
namespace {

result_or<decoded_body> decode_store(std::string& body, const decode_context& context) {
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

constexpr std::string_view store_paths[] = {"/api/{project}/store", "/api/store/"};
constexpr std::string_view store_types[] = {"*"};

} // namespace

/// One event as JSON, as Sentry SDKs sent it before there were envelopes.
constinit const ingest_format sentry_store_format{
    .route = {"sentry_store",
              "/api/{project}/store/",
              &http_room::http_limits::body_bytes,
              store_types,
              {},
              store_paths},
    .decode = decode_store,
    .answer = answer_sentry,
    .recorded = {},
    .shed_sentence = {},
    .refusal = refuse_sentry,
};

} // namespace gasoline
