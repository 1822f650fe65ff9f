#include "actors/ingest/formats/otlp/otlp_answer.hpp"

#include "actors/ingest/formats/otlp/otlp_json.hpp"
#include "actors/ingest/formats/otlp/protozero_text.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>

namespace gasoline {
namespace {

bool says_protobuf(const ingest_head& head) {
  return std::find(otlp_types.begin(), otlp_types.end(), head.content_type) != otlp_types.end();
}

/// Whoever names no type sends one of the two; JSON begins with a brace.
bool is_protobuf(const ingest_head& head, std::string_view body) {
  if (!head.content_type.empty())
    return says_protobuf(head);
  return !body.empty() && body.front() != '{' && body.front() != '[';
}

std::string_view rejected_member(otlp_signal signal) {
  switch (signal) {
  case otlp_signal::logs:
    return "rejectedLogRecords";
  case otlp_signal::traces:
    return "rejectedSpans";
  case otlp_signal::metrics:
    break;
  }
  return "rejectedDataPoints";
}

/// What was refused and why, or what the sender should know; empty: nothing.
std::string message_for(const decoded_body& body) {
  if (body.errors.empty())
    return body.remark;
  const auto& first = body.errors.front();
  return "record " + std::to_string(first.index) + ": " + first.message;
}

} // namespace

result_or<decoded_body> decode_otlp(otlp_signal signal, std::string& body,
                                    const decode_context& context) {
  otlp_events events{context};
  const auto problem = is_protobuf(context.head, body)
                           ? read_otlp_protobuf(signal, body, context, events)
                           : read_otlp_json(signal, body, context, events);
  if (problem)
    return tl::unexpected(*problem);
  return events.take();
}

ingest_answer answer_otlp(otlp_signal signal, const decoded_body& body, const ingest_head& head) {
  const auto message = message_for(body);
  ingest_answer out;
  if (says_protobuf(head)) {
    out.content_type = otlp_types.front();
    if (message.empty())
      return out;
    protozero::pbf_writer writer{out.body};
    protozero::pbf_writer partial{writer, 1};
    partial.add_int64(1, static_cast<std::int64_t>(body.rejected));
    partial.add_string(2, message);
    return out;
  }
  // A `partialSuccess` that is there is a failure to some senders, even an empty one.
  if (message.empty()) {
    out.body = "{}";
    return out;
  }
  std::string partial;
  json_object_writer inner{partial};
  // 64-bit numbers are strings in the JSON of protobuf.
  inner.text(rejected_member(signal), std::to_string(body.rejected))
      .text("errorMessage", message)
      .close();
  json_object_writer{out.body}.raw("partialSuccess", partial).close();
  return out;
}

ingest_answer refuse_otlp(std::uint16_t status, std::string_view sentence,
                          const ingest_head& head) {
  constexpr std::int32_t invalid_argument = 3;
  constexpr std::int32_t unavailable = 14;
  const auto code = status == 429 || status == 503 ? unavailable : invalid_argument;
  ingest_answer out;
  if (says_protobuf(head)) {
    out.content_type = otlp_types.front();
    protozero::pbf_writer writer{out.body};
    writer.add_int32(1, code);
    writer.add_string(2, std::string{sentence});
    return out;
  }
  json_object_writer{out.body}.number("code", code).text("message", sentence).close();
  return out;
}

} // namespace gasoline
