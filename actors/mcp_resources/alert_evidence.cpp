#include "actors/mcp_resources/alert_evidence.hpp"

#include "actors/mcp/client/client_reads.hpp"
#include "actors/mcp_tools/observe/timeline_mode.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/telemetry/event_json.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace gasoline {
namespace {

/// Room kept for the names around the alert and the events.
constexpr std::size_t evidence_frame_bytes = 200;

std::string shown_id(const listed_alert& alert) {
  return "alert_" + std::to_string(alert.id);
}

std::vector<std::string> ids_of(const alert_listing& listing) {
  std::vector<std::string> out;
  out.reserve(listing.items.size());
  for (const auto& alert : listing.items)
    out.push_back(shown_id(alert));
  return out;
}

const listed_alert* find_alert(const alert_listing& listing, std::string_view id) {
  const auto number = alert_number(id);
  const auto found =
      std::find_if(listing.items.begin(), listing.items.end(),
                   [&](const listed_alert& alert) { return number && alert.id == *number; });
  return found == listing.items.end() ? nullptr : &*found;
}

/// When the newest occurrence of the alert was.
wall_time time_of(const listed_alert& alert) {
  const auto fields = nlohmann::json::parse(alert.text, nullptr, false);
  const auto at = from_iso8601(fields.value("timestamp", ""));
  return at.value_or(wall_time{});
}

store_query around(const request_context& context, const listed_alert& alert) {
  const auto& limit = context.limit();
  auto query = plain_call(timeline_view(), limit, limit.result.bytes).query;
  const auto at = time_of(alert);
  query.since = at - std::chrono::milliseconds{limit.alert.evidence_before_ms};
  query.until = at + std::chrono::milliseconds{limit.alert.evidence_after_ms};
  return query;
}

/// As many events as fit into `room` bytes, as a JSON array; the newest are kept.
std::string events_json(const store_page& page, std::size_t room) {
  std::string out{"["};
  for (const auto& group : page.groups) {
    std::string item;
    append_group_json(item, group, true);
    if (out.size() + item.size() + 2 > room)
      continue;
    if (out.size() > 1)
      out += ',';
    out += item;
  }
  return out + ']';
}

std::string document(const std::string& alert, const store_page& page,
                     const limits_of<alert_room, result_room>& limit) {
  const auto used = alert.size() + evidence_frame_bytes;
  const auto room = limit.result.bytes > used ? limit.result.bytes - used : 0;
  std::string out;
  json_object_writer w{out};
  w.raw("alert", alert).raw("around", events_json(page, room)).number("total", page.total);
  w.number("before_ms", limit.alert.evidence_before_ms);
  w.number("after_ms", limit.alert.evidence_after_ms);
  w.close();
  return out;
}

} // namespace

void read_alert_evidence(const request_context& context, std::string_view id,
                         std::function<void(const std::string&)> then,
                         std::function<void(const std::vector<std::string>&)> unknown) {
  read_alerts(context, [context, id = std::string{id}, then = std::move(then),
                        unknown = std::move(unknown)](const alert_listing& listing) {
    const auto* alert = find_alert(listing, id);
    if (!alert) {
      unknown(ids_of(listing));
      return;
    }
    read_own_events(context, around(context, *alert),
                    [context, text = alert->text, then](const store_page& page) {
                      then(document(text, page, context.limit()));
                    });
  });
}

std::optional<std::uint64_t> alert_number(std::string_view id) {
  constexpr std::string_view prefix = "alert_";
  if (id.substr(0, prefix.size()) == prefix)
    id.remove_prefix(prefix.size());
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (problem != std::errc{} || end != id.data() + id.size())
    return std::nullopt;
  return number;
}

void alert_ids(const request_context& context,
               std::function<void(const std::vector<std::string>&)> then) {
  read_alerts(context,
              [then = std::move(then)](const alert_listing& listing) { then(ids_of(listing)); });
}

} // namespace gasoline
