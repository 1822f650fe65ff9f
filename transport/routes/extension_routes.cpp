#include "transport/routes/extension_routes.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/time.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr int poll_ms = 1'000;
constexpr std::chrono::seconds is_connected_for{10}; // it calls once a second, or is held up for 8
constexpr std::size_t most_version_bytes = 32;
constexpr const char* unknown_version = "0.8.2";

std::string wall_text() {
  return to_iso8601(
      std::chrono::time_point_cast<wall_time::duration>(std::chrono::system_clock::now()));
}

json member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? json{} : *found;
}

http_response refused(std::string_view sentence) {
  http_response out;
  out.status = 400;
  json_object_writer w{out.body};
  w.text("error", sentence).close();
  return out;
}

} // namespace

bool is_extension(const http_request_view& head) {
  const auto origin = head.origin.value_or(std::string_view{});
  return origin.starts_with("chrome-extension://") || origin.starts_with("moz-extension://");
}

json extension_presence::heard(std::string_view body, time_point now, const std::string& wall_now) {
  const auto sync = json::parse(body, nullptr, false);
  if (!sync.is_object())
    return nullptr;
  last_ = now;
  last_wall_ = wall_now;
  const auto version = member(sync, "extension_version");
  version_ = version.is_string() && !version.get_ref<const std::string&>().empty()
                 ? version.get<std::string>().substr(0, most_version_bytes)
                 : unknown_version;
  const auto settings = member(sync, "settings");
  pilot_ = settings.is_object() && member(settings, "pilot_enabled") == true;
  const auto ack = member(sync, "last_command_ack");
  return {{"ack", ack.is_string() ? ack : json{true}},
          {"commands", json::array()},
          {"next_poll_ms", poll_ms},
          {"server_time", wall_now},
          {"server_version", version_},
          {"capture_overrides", json::object()}};
}

json extension_presence::health(time_point now, const std::string& wall_now) const {
  const bool is_connected = last_ && now - *last_ < is_connected_for;
  json capture{{"available", true},
               {"pilot_enabled", pilot_},
               {"pilot_state", pilot_ ? "enabled" : "disabled"},
               {"extension_connected", is_connected},
               {"security_mode", "normal"}};
  if (last_)
    capture["extension_last_seen"] = last_wall_;
  return {{"status", "ok"},
          {"service-name", "gasoline"},
          {"name", "gasoline"},
          {"version", version_.empty() ? unknown_version : version_},
          {"server_time", wall_now},
          {"logs",
           {{"entries", 0},
            {"max_entries", 1'000},
            {"maxEntries", 1'000},
            {"log_file", ""},
            {"logFile", ""},
            {"dropped_count", 0}}},
          {"capture", std::move(capture)}};
}

std::vector<http_route> extension_routes(const std::shared_ptr<extension_presence>& presence,
                                         const limits_of<http_room>& limit) {
  const auto sync = [presence](http_call call, const http_reply& reply) {
    const auto answer = presence->heard(call.body, std::chrono::steady_clock::now(), wall_text());
    if (answer.is_null())
      return reply(refused("The body is no JSON object; a heartbeat of the extension is."));
    http_response out;
    out.body = answer.dump(-1, ' ', false, json::error_handler_t::replace);
    reply(std::move(out));
  };
  // Results of commands of another engine: nobody waits for them.
  const auto result = [](const http_call&, const http_reply& reply) {
    http_response out;
    out.body = R"({"status":"ok"})";
    reply(std::move(out));
  };
  return {{"POST", "/sync", limit.http.body_bytes, sync, http_right::send},
          {"POST", "/query-result", limit.http.body_bytes, result, http_right::send}};
}

http_response extension_health(const extension_presence& presence) {
  http_response out;
  out.body = presence.health(std::chrono::steady_clock::now(), wall_text())
                 .dump(-1, ' ', false, json::error_handler_t::replace);
  return out;
}

} // namespace gasoline
