#include "actors/ingest/formats/sentry/sentry_spans.hpp"

#include "actors/base/dom_values.hpp"
#include "actors/ingest/decoding/field_list.hpp"
#include "actors/ingest/formats/sentry/sentry_attributes.hpp"
#include "actors/ingest/formats/sentry/sentry_values.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t longest_method = 32;

/// What is known of one span, however its SDK writes it.
struct span_facts {
  std::string name;
  std::string op;
  std::string status; ///< a word; empty: not told
  std::string method;
  std::string url;
  std::string release;
  std::int32_t http_status = -1;
  double duration_ms = -1;
  std::optional<wall_time> end;
  bool is_first = false; ///< of its program in this trace
  std::string trace_id;
  std::string span_id;
  std::string parent_span_id;
};

/// The HTTP status that a word of Sentry stands for; -1: none.
std::int32_t status_of_word(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::int32_t>, 12> words{{
      {"ok", 200},
      {"invalid_argument", 400},
      {"unauthenticated", 401},
      {"permission_denied", 403},
      {"not_found", 404},
      {"already_exists", 409},
      {"resource_exhausted", 429},
      {"internal_error", 500},
      {"error", 500},
      {"unimplemented", 501},
      {"unavailable", 503},
      {"deadline_exceeded", 504},
  }};
  for (const auto& [known, status] : words)
    if (known == word)
      return status;
  return -1;
}

bool is_failed(const span_facts& span) {
  constexpr std::array<std::string_view, 7> words{
      "error",     "internal_error", "unknown_error",    "unavailable",
      "data_loss", "unimplemented",  "deadline_exceeded"};
  return std::find(words.begin(), words.end(), span.status) != words.end();
}

std::int32_t http_status_in(const std::optional<dom::element>& value) {
  const auto number = value ? number_of(*value) : std::nullopt;
  return number && *number >= 100 && *number <= 599 ? static_cast<std::int32_t>(*number) : -1;
}

void read_http(span_facts& out, const sentry_attributes& attributes) {
  for (const auto* name : {"http.response.status_code", "http.status_code", "status_code"})
    if (out.http_status < 0)
      out.http_status = http_status_in(attributes.value(name));
  for (const auto* name : {"http.request.method", "http.method", "method"})
    if (out.method.empty())
      out.method = attributes.text(name);
  for (const auto* name : {"url.full", "http.url", "url", "http.target", "url.path"})
    if (out.url.empty())
      out.url = attributes.text(name);
}

void read_times(span_facts& out, const dom::element& span, wall_time now) {
  const auto begin = member_in(span, "start_timestamp");
  auto end = member_in(span, "end_timestamp");
  if (!end)
    end = member_in(span, "timestamp");
  if (!end)
    return;
  out.end = sentry_time(*end, now);
  if (!begin || !out.end)
    return;
  if (const auto began = sentry_time(*begin, now); began && *out.end >= *began)
    out.duration_ms = static_cast<double>((*out.end - *began).count());
}

void read_ids(span_facts& out, const dom::element& span) {
  out.trace_id = text_in(span, "trace_id");
  out.span_id = text_in(span, "span_id");
  out.parent_span_id = text_in(span, "parent_span_id");
}

span_facts facts_of_transaction(const dom::element& root, wall_time now) {
  span_facts out;
  out.name = text_in(root, "transaction");
  out.release = text_in(root, "release");
  out.is_first = true;
  read_times(out, root, now);
  if (const auto contexts = member_in(root, "contexts")) {
    if (const auto trace = member_in(*contexts, "trace")) {
      read_ids(out, *trace);
      out.op = text_in(*trace, "op");
      out.status = text_in(*trace, "status");
      read_http(out, sentry_attributes{*trace});
    }
    if (const auto response = member_in(*contexts, "response"); response && out.http_status < 0)
      out.http_status = http_status_in(member_in(*response, "status_code"));
  }
  if (const auto tags = member_in(root, "tags"); tags && out.http_status < 0)
    out.http_status = http_status_in(member_in(*tags, "http.status_code"));
  if (const auto request = member_in(root, "request")) {
    if (out.method.empty())
      out.method = text_in(*request, "method");
    if (const auto url = text_in(*request, "url"); !url.empty())
      out.url = url;
  }
  return out;
}

span_facts facts_of_span(const dom::element& span, wall_time now) {
  span_facts out;
  const sentry_attributes attributes{span};
  read_ids(out, span);
  out.name = text_in(span, "name");
  if (out.name.empty())
    out.name = text_in(span, "description");
  out.op = attributes.text("sentry.op");
  if (out.op.empty())
    out.op = text_in(span, "op");
  out.status = text_in(span, "status");
  out.release = attributes.text("sentry.release");
  const auto segment = member_in(span, "is_segment");
  out.is_first = segment ? segment->is_bool() && bool{*segment} : out.parent_span_id.empty();
  read_times(out, span, now);
  read_http(out, attributes);
  return out;
}

/// A span that becomes an event.
class span_event {
 public:
  span_event(const span_facts& span, const sentry_sender& sender, const decode_context& context)
      : span_(span),
        context_(context),
        fields_(event_.fields, context.limit.entry, context.cutter) {
    event_.origin = event_origin::sentry;
    event_.service = sentry_service(sender, span.release, context);
    event_.at = span.end.value_or(context.now);
    event_.at_given = span.end.has_value();
    event_.duration_ms = span.duration_ms;
  }

  raw_event request() {
    event_.kind = telemetry_kind::request;
    event_.name = context_.cutter.cut(span_.method, longest_method);
    event_.status = span_.http_status >= 0 ? span_.http_status : status_of_word(span_.status);
    event_.url = context_.cutter.cut(span_.url.empty() ? span_.name : span_.url,
                                     context_.limit.entry.url_bytes);
    return finished();
  }

  raw_event error() {
    event_.level = log_level::error;
    event_.type = entry_type::exception;
    fields_.text("reported_by", "sentry");
    event_.message = context_.cutter.cut(span_.name + " failed: " + span_.status,
                                         context_.limit.entry.message_bytes);
    return finished();
  }

 private:
  raw_event finished() {
    fields_.text("transaction", span_.name);
    fields_.text("op", span_.op);
    fields_.text("trace_id", span_.trace_id);
    fields_.text("span_id", span_.span_id);
    fields_.text("parent_span_id", span_.parent_span_id);
    fields_.finish();
    return std::move(event_);
  }

  const span_facts& span_;
  const decode_context& context_;
  raw_event event_;
  field_list fields_;
};

// What comes by a DSN and by Spotlight is one.
bool is_new_span(const span_facts& span, const decode_context& context) {
  return span.span_id.empty() || context.seen.add("span " + span.trace_id + span.span_id);
}

bool is_told(const span_facts& span) {
  if (span.op == "http.client")
    return span.http_status >= 400 || is_failed(span);
  return span.op == "http.server" || (span.is_first && is_failed(span));
}

void judge_span(const span_facts& span, const sentry_sender& sender, const decode_context& context,
                decoded_body& out) {
  if (!is_told(span)) {
    ++out.counted_only;
    return;
  }
  if (!is_new_span(span, context))
    return;
  span_event told{span, sender, context};
  const bool is_request = span.op == "http.server" || span.op == "http.client";
  out.events.push_back(is_request ? told.request() : told.error());
}

} // namespace

void read_sentry_transaction(const dom::element& root, const sentry_sender& sender,
                             const decode_context& context, decoded_body& out) {
  const auto event_id = sender.event_id.empty() ? event_id_in(root) : sender.event_id;
  if (!event_id.empty() && !context.seen.add(event_id))
    return;
  judge_span(facts_of_transaction(root, context.now), sender, context, out);
  if (const auto spans = member_in(root, "spans"))
    for (const auto& span : values_of(*spans)) {
      auto facts = facts_of_span(span, context.now);
      facts.is_first = false;
      facts.release = text_in(root, "release");
      judge_span(facts, sender, context, out);
    }
}

void read_sentry_spans(const dom::element& root, const sentry_sender& sender,
                       const decode_context& context, decoded_body& out) {
  const auto items = member_in(root, "items");
  if (!items) {
    judge_span(facts_of_span(root, context.now), sender, context, out);
    return;
  }
  for (const auto& span : values_of(*items))
    if (span.is_object())
      judge_span(facts_of_span(span, context.now), sender, context, out);
}

} // namespace gasoline
