#include "actors/ingest/formats/sentry.hpp"

#include "actors/ingest/formats/format_table.hpp"
#include "actors/ingest/formats/sentry/sentry_envelope.hpp"
#include "actors/ingest/formats/sentry/sentry_event.hpp"
#include "actors/ingest/formats/sentry/sentry_logs.hpp"
#include "actors/ingest/formats/sentry/sentry_spans.hpp"
#include "messages/base/json/json_text.hpp"

#include <array>
#include <string>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

using item_reader = void (*)(const dom::element& root, const sentry_sender& sender,
                             const decode_context& context, decoded_body& out);

/// The items that are read; all others are left and counted.
constexpr std::array<std::pair<std::string_view, item_reader>, 8> item_readers{{
    {"event", read_sentry_event},
    {"transaction", read_sentry_transaction},
    {"span", read_sentry_spans},
    {"log", read_sentry_logs},
    {"otel_log", read_sentry_logs},
    {"check_in", read_sentry_check_in},
    {"feedback", read_sentry_feedback},
    {"user_report", read_sentry_feedback},
}};

void refuse_item(decoded_body& out, std::string why, const decode_limits& limit) {
  ++out.rejected;
  if (out.errors.size() < limit.entry.errors_listed)
    out.errors.push_back({out.received - 1, std::move(why)});
}

void take_item(const sentry_item& item, const sentry_sender& sender, const decode_context& context,
               decoded_body& out) {
  for (const auto& [type, read] : item_readers) {
    if (type != item.type)
      continue;
    std::string payload{item.payload};
    const auto root = context.json.parse(payload);
    if (!root)
      refuse_item(out, root.error().message, context.limit);
    else if (!root->is_object())
      refuse_item(out, "An item of type " + item.type + " must be a JSON object.", context.limit);
    else
      read(*root, sender, context, out);
    return;
  }
  ++out.counted_only;
}

result_or<decoded_body> decode_envelope(std::string& body, const decode_context& context) {
  sentry_envelope envelope{body, context.json};
  auto head = envelope.head();
  if (!head)
    return tl::unexpected(std::move(head.error()));
  const sentry_sender sender{context.head.parameter, head->event_id, head->sdk};
  decoded_body out;
  out.id = head->event_id;
  while (true) {
    auto item = envelope.next();
    if (item && !*item)
      break;
    ++out.received;
    if (!item || out.received > context.limit.ingest.envelope_items) {
      refuse_item(out,
                  item ? "An envelope may have " +
                             std::to_string(context.limit.ingest.envelope_items) +
                             " items; send more in others."
                       : std::move(item.error().message),
                  context.limit);
      break;
    }
    take_item(**item, sender, context, out);
  }
  if (out.rejected > 0 && out.rejected == out.received)
    return tl::unexpected(user_error{out.errors.empty() ? std::string{"Nothing could be read."}
                                                        : out.errors.front().message});
  return out;
}

constexpr std::string_view envelope_paths[] = {
    "/api/{project}/envelope", "/stream", "*/api/{project}/envelope/", "*/api/{project}/envelope"};
constexpr std::string_view any_type[] = {"*"};

} // namespace

ingest_answer answer_sentry(const decoded_body& body, const ingest_head&) {
  ingest_answer out;
  json_object_writer w{out.body};
  if (!body.id.empty())
    w.text("id", body.id);
  w.close();
  return out;
}

ingest_answer refuse_sentry(std::uint16_t status, std::string_view sentence, const ingest_head&) {
  ingest_answer out;
  out.status = status;
  json_object_writer w{out.body};
  w.text("detail", sentence).raw("causes", "[]").close();
  return out;
}

/// Envelopes, as Sentry SDKs send them to a DSN and to Spotlight.
constinit const ingest_format sentry_format{
    .route = {"sentry",
              "/api/{project}/envelope/",
              &http_room::http_limits::body_bytes,
              any_type,
              {},
              envelope_paths,
              refuse_sentry},
    .decode = decode_envelope,
    .answer = answer_sentry,
    .recorded = {},
    .shed_sentence = {},
    .in_turn = true,
};

} // namespace gasoline
