#include "actors/ingest/formats/sentry/sentry_logs.hpp"

#include "actors/base/dom_values.hpp"
#include "actors/ingest/decoding/field_list.hpp"
#include "actors/ingest/formats/sentry/sentry_attributes.hpp"
#include "actors/ingest/formats/sentry/sentry_values.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

raw_event sentry_line(const sentry_sender& sender, std::string_view release,
                      const decode_context& context) {
  raw_event out;
  out.origin = event_origin::sentry;
  out.service = sentry_service(sender, release, context);
  out.at = context.now;
  return out;
}

void take_time(raw_event& out, const dom::element& record, const decode_context& context) {
  const auto told = member_in(record, "timestamp");
  if (const auto at = told ? sentry_time(*told, context.now) : std::nullopt) {
    out.at = *at;
    out.at_given = true;
  }
}

/// The levels of OpenTelemetry's log model: 9 is info, 13 warn, 17 error.
std::optional<log_level> level_of_severity(const dom::element& record) {
  for (const auto* name : {"severity_number", "severityNumber"}) {
    std::int64_t number = 0;
    const auto told = member_in(record, name);
    if (!told || told->get_int64().get(number) != simdjson::SUCCESS || number < 1)
      continue;
    return number >= 17   ? log_level::error
           : number >= 13 ? log_level::warn
           : number >= 9  ? log_level::info
                          : log_level::debug;
  }
  return std::nullopt;
}

std::string lower_word(std::string_view word) {
  std::string out{word};
  for (auto& c : out)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return out;
}

log_level level_of_record(const dom::element& record) {
  for (const auto* name : {"level", "severity_text", "severityText"})
    if (const auto level = sentry_level(lower_word(text_in(record, name))))
      return *level;
  return level_of_severity(record).value_or(log_level::info);
}

/// The body of a record: a text, or OpenTelemetry's wrapped one.
std::string body_of_record(const dom::element& record) {
  const auto body = member_in(record, "body");
  if (!body)
    return {};
  for (const auto* name : {"string_value", "stringValue"})
    if (const auto text = text_in(*body, name); !text.empty())
      return std::string{text};
  return text_of(*body);
}

// What a program says with the words of an error is one; what it prints is a line.
bool is_of_console(const sentry_attributes& attributes) {
  return attributes.text("sentry.origin").find("console") != std::string::npos;
}

// What comes by a DSN and by Spotlight is one; records have no ids, but times of a nanosecond.
bool is_new_record(const dom::element& record, const raw_event& e, const decode_context& context) {
  const auto told = member_in(record, "timestamp");
  return !told || context.seen.add("log " + text_of(*told) + " " + e.message);
}

void read_record(const dom::element& record, const sentry_sender& sender,
                 const decode_context& context, decoded_body& out) {
  if (!record.is_object())
    return;
  const sentry_attributes attributes{record};
  auto e = sentry_line(sender, attributes.text("sentry.release"), context);
  take_time(e, record, context);
  e.level = level_of_record(record);
  e.message = context.cutter.cut(body_of_record(record), context.limit.entry.message_bytes);
  if (!is_new_record(record, e, context))
    return;
  field_list fields{e.fields, context.limit.entry, context.cutter};
  if (e.level == log_level::error && !is_of_console(attributes)) {
    e.type = entry_type::exception;
    fields.text("reported_by", "sentry");
  }
  for (const auto* name : {"trace_id", "span_id"})
    fields.text(name, text_in(record, name));
  attributes.keep_in(fields, context.limit.entry.field_bytes);
  fields.finish();
  out.events.push_back(std::move(e));
}

} // namespace

void read_sentry_logs(const dom::element& root, const sentry_sender& sender,
                      const decode_context& context, decoded_body& out) {
  const auto items = member_in(root, "items");
  if (!items) {
    read_record(root, sender, context, out);
    return;
  }
  for (const auto& record : values_of(*items))
    read_record(record, sender, context, out);
}

void read_sentry_check_in(const dom::element& root, const sentry_sender& sender,
                          const decode_context& context, decoded_body& out) {
  const auto status = text_in(root, "status");
  if (status != "error" && status != "missed" && status != "timeout") {
    ++out.counted_only;
    return;
  }
  auto e = sentry_line(sender, text_in(root, "release"), context);
  e.level = log_level::error;
  e.type = entry_type::exception;
  const auto name = text_in(root, "monitor_slug");
  e.message = context.cutter.cut("Check-in of " + std::string{name.empty() ? "a monitor" : name} +
                                     ": " + std::string{status},
                                 context.limit.entry.message_bytes);
  field_list fields{e.fields, context.limit.entry, context.cutter};
  fields.text("reported_by", "sentry");
  if (const auto duration = member_in(root, "duration"))
    fields.keep("duration_seconds", *duration);
  fields.finish();
  out.events.push_back(std::move(e));
}

void read_sentry_feedback(const dom::element& root, const sentry_sender& sender,
                          const decode_context& context, decoded_body& out) {
  const auto contexts = member_in(root, "contexts");
  const auto inner = contexts ? member_in(*contexts, "feedback") : std::nullopt;
  const auto& told = inner ? *inner : root;
  auto e = sentry_line(sender, text_in(root, "release"), context);
  e.level = log_level::info;
  auto words = text_in(told, "message");
  if (words.empty())
    words = text_in(told, "comments");
  e.message =
      context.cutter.cut("User feedback: " + std::string{words}, context.limit.entry.message_bytes);
  e.url = context.cutter.cut(text_in(told, "url"), context.limit.entry.url_bytes);
  field_list fields{e.fields, context.limit.entry, context.cutter};
  for (const auto* name : {"associated_event_id", "event_id"})
    fields.text(name, text_in(told, name));
  fields.finish();
  out.events.push_back(std::move(e));
}

} // namespace gasoline
