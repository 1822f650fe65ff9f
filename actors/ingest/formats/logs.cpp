#include "actors/ingest/decoding/entry_list.hpp"
#include "actors/ingest/formats/format_table.hpp"
#include "actors/ingest/formats/performance.hpp"
#include "messages/base/json/json_text.hpp"

#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

constexpr key_slot log_keys[] = {
    {"ts", slot::time},
    {"timestamp", slot::time},
    {"level", slot::level},
    {"type", slot::type},
    {"message", slot::message},
    {"url", slot::url},
    {"stack", slot::stack},
    {"status", slot::status},
    {"duration", slot::duration},
    {"duration_ms", slot::duration},
    {"method", slot::name},
    {"_aggregatedCount", slot::count},
    {"error", slot::fallback_message},
    {"format", slot::format},
    {"args", slot::arguments},
    {"page", slot::page},
    {"build", slot::build},
    {"echo", slot::echo},
};

log_level default_level(const raw_event& e) {
  switch (e.type) {
  case entry_type::exception:
    return log_level::error;
  case entry_type::security:
    return log_level::warn;
  case entry_type::network:
    return e.status == 0 || e.status >= 500 ? log_level::error
           : e.status >= 400                ? log_level::warn
                                            : log_level::info;
  default:
    return log_level::log;
  }
}

std::optional<std::string> finish_log(entry_draft& draft) {
  auto& e = draft.event;
  if (!draft.level_given && !draft.type_given && e.message.empty() && draft.fallback.empty())
    return "a log entry needs at least one of level, type, message";
  if (e.message.empty())
    e.message = std::move(draft.fallback);
  if (!draft.level_given)
    e.level = default_level(e);
  return std::nullopt;
}

constexpr entry_shape log_shape{telemetry_kind::log, "entries", log_keys, finish_log};

result_or<decoded_body> decode_logs(std::string& body, const decode_context& context) {
  return decode_entries(log_shape, body, context, vital_entry);
}

ingest_answer answer_logs(const decoded_body& body, const ingest_head&) {
  const auto accepted = body.received - body.rejected;
  ingest_answer answer;
  json_object_writer w{answer.body};
  w.number("received", body.received).number("rejected", body.rejected).number("entries", accepted);
  if (body.rejected > 0) {
    w.raw("errors", refused_entries_json(body));
    if (accepted == 0)
      answer.status = 400;
  }
  w.close();
  return answer;
}

} // namespace

/// `POST /logs`: entries of a console, uncaught errors, findings of the browser, and web vitals,
/// which become measurements of a page load.
constinit const ingest_format logs_format{
    .route = {"logs", "/logs", &http_room::http_limits::body_bytes},
    .decode = decode_logs,
    .answer = answer_logs,
    .recorded = recorded_form{telemetry_kind::log, "entries"},
    .shed_sentence = {},
};

} // namespace gasoline
